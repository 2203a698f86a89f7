// SPDX-License-Identifier: BSD-3-Clause
//
// Sending and awaiting what tells that a receiver is ready.
#include "pready/preparation.hpp"

#include "host/failure.hpp"
#include "progress/waiting.hpp"

namespace mpix::pready {

void Preparation::begin(const progress::Operation& operation) {
    progress::wait_until([&] {
        const progress::Engine::Guard guard(progress::engine());
        return operation.is_bound();
    });
    const progress::Tags& tags = operation.steps().tags();
    const int tag = tags.first + tags.count - 1; // the plan leaves it alone
    for (const int peer : operation.steps().sources())
        host::check(HOST(Isend)(nullptr, 0, MPI_BYTE, peer, tag, tags.comm,
                                &requests_.emplace_back(MPI_REQUEST_NULL)));
    for (const int peer : operation.steps().destinations())
        host::check(HOST(Irecv)(nullptr, 0, MPI_BYTE, peer, tag, tags.comm,
                                &requests_.emplace_back(MPI_REQUEST_NULL)));
}

int Preparation::finish() {
    int first = MPI_SUCCESS;
    for (MPI_Request& request : requests_)
        if (const int code = progress::wait_for(request); first == MPI_SUCCESS) first = code;
    return first;
}

} // namespace mpix::pready
