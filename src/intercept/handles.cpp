// SPDX-License-Identifier: BSD-3-Clause
//
// Into the tables and out of them.
#include "intercept/handles.hpp"

#include "host/failure.hpp"
#include "pready/requests.hpp"
#include "progress/engine.hpp"

namespace mpix::intercept {

constinit base::Immortal<Handles> the_handles;

MPI_Request make_request(std::unique_ptr<progress::Operation> operation) {
    MPI_Request carrier = MPI_REQUEST_NULL;
    host::check(host::make_carrier(&carrier));
    const progress::Engine::Guard guard(progress::engine());
    try {
        progress::Operation& made = *operation;
        if (made.partitions()) pready::requests().add(carrier, made);
        handles().insert(carrier, std::move(operation));
    } catch (...) {
        pready::requests().remove(carrier);
        HOST(Request_free)(&carrier);
        throw;
    }
    return carrier;
}

std::unique_ptr<progress::Operation> remove_request(MPI_Request request) {
    std::unique_ptr<progress::Operation> removed = handles().remove(request);
    if (removed && removed->partitions()) pready::requests().remove(request);
    return removed;
}

} // namespace mpix::intercept
