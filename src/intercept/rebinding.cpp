// SPDX-License-Identifier: BSD-3-Clause
//
// Which requests may get other buffers, and whether these can take the place of the old.
#include "intercept/rebinding.hpp"

#include "host/device_memory.hpp"
#include "intercept/errors.hpp"
#include "intercept/handles.hpp"
#include "progress/engine.hpp"

namespace mpix::intercept {
namespace {

using progress::Buffers;
using progress::Operation;
using Given = progress::Buffers::Given;
using Guard = progress::Engine::Guard;

[[noreturn]] void refuse(int error_class, const std::string& what) {
    reject(error_class, "MPIX_Request_rebind: " + what);
}

// What has no buffers, or lends its own.
const char* reason_against(const Operation& operation) {
    if (operation.is_follower()) return "is a request for one partition";
    if (operation.members()) return "is a bundle";
    if (operation.callbacks()) return "is a generalized request";
    if (operation.is_promise()) return "is being bound or unbound";
    if (operation.is_free()) return nullptr;
    const bool is_inactive = operation.state() == Operation::State::inactive;
    return is_inactive ? "is a member of an active bundle" : "is active";
}

Operation& find(MPI_Request request) {
    if (request == MPI_REQUEST_NULL) refuse(MPI_ERR_REQUEST, "request is MPI_REQUEST_NULL");
    Operation* const operation = handles().find(request);
    if (!operation)
        refuse(MPI_ERR_REQUEST,
               "request is no persistent collective, partitioned operation or channel");
    return *operation;
}

std::optional<std::byte*> place_of(const char* name, Given given, const void* buffer) {
    const bool is_in_place = buffer == MPI_IN_PLACE;
    if (given == Given::nothing) return {};
    if (given == Given::in_place && !is_in_place)
        refuse(MPI_ERR_BUFFER, std::string(name) + " is an address, and was bound in place");
    if (given == Given::address && is_in_place)
        refuse(MPI_ERR_BUFFER, std::string(name) + " is MPI_IN_PLACE, and was bound to an address");
    if (is_in_place) return {};
    return static_cast<std::byte*>(const_cast<void*>(buffer));
}

progress::Places places_of(const Buffers& had, const void* sendbuf, const void* recvbuf) {
    if (!had.are_one)
        return {place_of("sendbuf", had.send, sendbuf), place_of("recvbuf", had.recv, recvbuf)};
    const auto one =
        recvbuf ? place_of("recvbuf", had.recv, recvbuf) : place_of("sendbuf", had.recv, sendbuf);
    return {one, one};
}

// What was not left to the host at the init is not left to it later.
void check_place(const Operation& operation, const char* name,
                 const std::optional<std::byte*>& place) {
    if (place && host::is_device_memory(*place) && !operation.is_delegated())
        refuse(MPI_ERR_BUFFER, std::string(name) +
                                   " is in the memory of a device, and request of " +
                                   operation.name() + " was bound to other memory");
}

void rebind(Operation& operation, const void* sendbuf, const void* recvbuf) {
    if (const char* reason = reason_against(operation))
        refuse(MPI_ERR_REQUEST, "request of " + std::string(operation.name()) + " " + reason);
    const progress::Places places = places_of(operation.buffers(), sendbuf, recvbuf);
    check_place(operation, "sendbuf", places.send);
    check_place(operation, "recvbuf", places.recv);
    operation.rebind(places);
}

MPI_Comm errors_of(MPI_Request request) {
    const Guard guard(progress::engine());
    const Operation* const operation = handles().find(request);
    return operation && operation->error_communicator() ? operation->errors_to() : MPI_COMM_NULL;
}

} // namespace

int request_rebind(MPI_Request request, const void* sendbuf, void* recvbuf) {
    return with_errors(errors_of(request), [&] {
        const Guard guard(progress::engine());
        rebind(find(request), sendbuf, recvbuf);
        return MPI_SUCCESS;
    });
}

} // namespace mpix::intercept
