// SPDX-License-Identifier: BSD-3-Clause
//
// What is left to do once a partition is marked, or asked for in vain.
#include "pready/marking.hpp"

#include "run/engine.hpp"
#include "run/host_progress.hpp"

namespace mpix::pready {

using run::engine;
using run::Gates;

void act(Operation& operation) {
    const Gates& gates = operation.partitions()->gates;
    if (!gates.is_bound()) return;
    operation.ring();
    if (gates.has_unread() && run::may_act_on_marks()) engine().act_on_marks(operation);
}

bool has_arrived(const Operation& operation, std::int64_t partition) {
    return operation.state() != Operation::State::active ||
           operation.partitions()->arrivals.has(static_cast<std::size_t>(partition));
}

void progress() {
    if (!run::may_progress()) return;
    engine().ask_host_next();
    const run::Engine::Guard guard(engine());
    engine().progress_with_host();
}

} // namespace mpix::pready
