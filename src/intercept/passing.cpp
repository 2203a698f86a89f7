// SPDX-License-Identifier: BSD-3-Clause
//
// MPIX_DISABLE is read once, at the first call.
#include "intercept/passing.hpp"

#include "automatic/communicator_plans.hpp"
#include "base/settings.hpp"

namespace mpix::intercept {

constinit std::atomic<signed char> disabled{-1};

bool find_disabled() {
    const bool found = base::settings().MPIX_DISABLE;
    if (found)
        disable();
    else
        disabled.store(0, std::memory_order_relaxed);
    return found;
}

void disable() {
    disabled.store(1, std::memory_order_relaxed);
    automatic::wanted_anywhere.store(0, std::memory_order_relaxed);
}

} // namespace mpix::intercept
