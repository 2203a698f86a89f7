// SPDX-License-Identifier: BSD-3-Clause
//
// Requests of nonblocking collectives that run on plans.
#pragma once

#include "automatic/communicator_plans.hpp"
#include "automatic/invocation.hpp"
#include "progress/operation.hpp"

namespace mpix::intercept {

// Begins a call, or leaves it to the host: automatic::left_to_host. Throws Failure, bad_alloc.
int begin_call(automatic::CommunicatorPlans& on, const automatic::Invocation& call,
               MPI_Request* request);

// The program has completed it: returns its error code. Under the guard.
int conclude_call(progress::Operation& call, MPI_Request* place);

} // namespace mpix::intercept
