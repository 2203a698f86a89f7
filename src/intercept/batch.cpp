// SPDX-License-Identifier: BSD-3-Clause
//
// Looking up and polling the members.
#include "intercept/batch.hpp"

#include <algorithm>

namespace mpix::intercept {

using run::engine;
using Guard = run::Engine::Guard;

Batch::Batch(int count, const MPI_Request requests[]) {
    const Guard guard(engine());
    for (int i = 0; i < count; ++i) {
        if (Operation* operation = handles().find(requests[i]))
            members_.push_back({i, operation});
        else
            others_ = true; // null ones too: the host writes their statuses
    }
}

bool Batch::progress_all_done() const {
    const Guard guard(engine());
    engine().progress();
    return std::none_of(begin(), end(),
                        [](const Member& m) { return m.operation->state() == State::active; });
}

bool Batch::any_started() const {
    const Guard guard(engine());
    return std::any_of(begin(), end(),
                       [](const Member& m) { return m.operation->state() != State::inactive; });
}

int finish(Operation& operation, MPI_Status* status) {
    host::clear(status);
    const Guard guard(engine());
    return operation.state() == State::inactive ? MPI_SUCCESS : operation.finish();
}

} // namespace mpix::intercept
