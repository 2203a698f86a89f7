// SPDX-License-Identifier: BSD-3-Clause
//
// What is left to do once a partition is marked, or asked for in vain.
#include "pready/marking.hpp"

#include "progress/engine.hpp"
#include "progress/host_progress.hpp"

namespace mpix::pready {

using progress::engine;
using progress::SendPartitions;

void act(Operation& operation) {
    const SendPartitions& gates = operation.partitions()->send;
    if (!gates.is_bound()) return;
    operation.ring();
    if (gates.has_unread() && progress::may_act_on_marks()) engine().act_on_marks(operation);
}

bool has_arrived(const Operation& operation, std::int64_t partition) {
    return operation.state() != Operation::State::active ||
           operation.partitions()->recv.has(static_cast<std::size_t>(partition));
}

bool progress() {
    if (!progress::may_progress()) return false;
    engine().ask_host_next();
    const progress::Engine::Guard guard(engine());
    return engine().progress_with_host();
}

} // namespace mpix::pready
