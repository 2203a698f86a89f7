// SPDX-License-Identifier: BSD-3-Clause
//
// A nonblocking collective on its plan.
#pragma once

#include "automatic/communicator_plans.hpp"

#include <memory>

namespace mpix::automatic {

// The promise of a call, which is active, and its plan: then it is to begin. Nothing where the
// host is to do it. Throws Failure, bad_alloc: then nothing has happened.
struct Prepared {
    std::unique_ptr<progress::Operation> promise;
    Planned* planned = nullptr;
};
Prepared prepare(CommunicatorPlans& on, const Invocation& call);

} // namespace mpix::automatic
