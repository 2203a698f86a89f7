// SPDX-License-Identifier: BSD-3-Clause
//
// Ready receivers, and requests for single partitions.
#include "intercept/errors.hpp"
#include "intercept/handles.hpp"
#include "intercept/readiness.hpp"
#include "pready/preparation.hpp"
#include "pready/requests.hpp"
#include "progress/engine.hpp"

#include <span>

namespace mpix::intercept {
namespace {

using progress::Operation;

int refuse(const Operation* operation, int error_class, const std::string& text) {
    const MPI_Comm comm = operation ? operation->errors_to() : MPI_COMM_WORLD;
    const std::string name = operation ? std::string(" of ") + operation->name() : "";
    return raise(comm, error_class, text + name);
}

int prepare(std::span<const MPI_Request> requests, const char* call) {
    for (const MPI_Request request : requests) {
        const Operation* operation = pready::requests().find(request);
        if (!operation || operation->state() == Operation::State::inactive)
            return refuse(operation, MPI_ERR_REQUEST,
                          std::string(call) + ": an inactive request, or one without partitions,");
    }
    pready::Preparation preparation;
    try {
        for (const MPI_Request request : requests)
            preparation.begin(*pready::requests().find(request));
    } catch (const host::Failure& failure) {
        preparation.finish();
        return host::raise(MPI_COMM_WORLD, failure.code);
    }
    const int code = preparation.finish();
    return code == MPI_SUCCESS ? code : host::raise(MPI_COMM_WORLD, code);
}

} // namespace

int pbuf_prepare(MPI_Request request) { return prepare({&request, 1}, "MPIX_Pbuf_prepare"); }

int pbuf_prepareall(int count, MPI_Request requests[]) {
    const char* const name = "MPIX_Pbuf_prepareall";
    if (count < 0 || (count > 0 && !requests))
        return raise(MPI_COMM_WORLD, MPI_ERR_ARG,
                     std::string(name) + ": count is negative, or requests is null");
    return prepare({requests, static_cast<std::size_t>(count)}, name);
}

int partition_request(MPI_Request request, int partition, MPI_Request* made) {
    const char* const name = "MPIX_Partition_request";
    Operation* const leader = pready::requests().find(request);
    const auto partitions = leader ? leader->partitions()->recv_numbers.partitions() : 0;
    if (partitions == 0)
        return refuse(leader, MPI_ERR_REQUEST,
                      std::string(name) + ": a request that receives no partitions here");
    if (!made) return refuse(leader, MPI_ERR_ARG, std::string(name) + ": no place for the request");
    if (partition < 0 || partition >= partitions)
        return refuse(leader, MPI_ERR_ARG,
                      std::string(name) + ": no partition " + std::to_string(partition) +
                          ", only 0 to " + std::to_string(partitions - 1));
    return with_errors(leader->errors_to(), [&] {
        const progress::Engine::Guard guard(progress::engine());
        auto follower = std::make_unique<Operation>(
            progress::About{.name = name, .error_communicator = leader->error_communicator()});
        follower->follow(*leader, static_cast<std::size_t>(partition));
        *made = make_request(std::move(follower));
        return MPI_SUCCESS;
    });
}

} // namespace mpix::intercept
