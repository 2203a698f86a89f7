// SPDX-License-Identifier: BSD-3-Clause
//
// Finding the plan, and a promise.
#include "automatic/nonblocking.hpp"

#include "automatic/making.hpp"
#include "comm/communicator.hpp"
#include "progress/engine.hpp"

namespace mpix::automatic {

Prepared prepare(CommunicatorPlans& on, const Invocation& call) {
    Entry* const entry = find_or_note(on, call);
    if (!entry || !entry->plan) return {};
    Planned& planned = *entry->plan;
    const progress::Engine::Guard guard(progress::engine());
    if (!on.promises) on.promises = std::make_shared<Promises>();
    Prepared prepared{Promises::take(on.promises, comm::Communicator::of(on.comm)), &planned};
    const char* const solver = planned.operation->solver().data(); // it ends with 0
    PendingCall::of(*prepared.promise).prepare(call, planned.places, solver);
    return prepared;
}

} // namespace mpix::automatic
