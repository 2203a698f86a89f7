// SPDX-License-Identifier: BSD-3-Clause
//
// Making the plan of a call that is due.
#pragma once

#include "automatic/communicator_plans.hpp"

namespace mpix::automatic {

// Null for a call that is not due. Collective where it is. Throws Failure, bad_alloc.
Entry* find_or_make(CommunicatorPlans& on, const Invocation& call);

// Of a nonblocking call, which waits for nobody: what is due is made in the next blocking one.
// Throws bad_alloc.
Entry* find_or_note(CommunicatorPlans& on, const Invocation& call);

// Makes what is due. Collective if anything is, on all ranks alike. Throws Failure, bad_alloc.
void make_due(CommunicatorPlans& on);

} // namespace mpix::automatic
