// SPDX-License-Identifier: BSD-3-Clause
//
// A plain collective on its plan.
#pragma once

#include "automatic/communicator_plans.hpp"

#include <climits>

namespace mpix::automatic {

// In place of an error code where the host is to do it. An optional code would be put together in
// memory, and read before it is there.
inline constexpr int left_to_host = INT_MIN;
// The same, and end_host_call() is to be called then.
inline constexpr int raced_by_host = INT_MIN + 1;

// Of run_again(): this is another call than the last.
inline constexpr int not_remembered = INT_MIN + 2;

// Returns when it is done, with the code of a failure that nobody has been told of. Collective
// where the plan is made. Throws Failure, bad_alloc.
int run(CommunicatorPlans& on, const Invocation& call);
// The same, and it is remembered.
int run(CommunicatorPlans& on, const Invocation& call, const RawArguments& arguments);
void end_host_call(MPI_Comm comm);
// Of a call like one that is remembered.
int run_again(CommunicatorPlans& on, plan::Collective collective, const RawArguments& arguments);

} // namespace mpix::automatic
