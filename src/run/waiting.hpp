// SPDX-License-Identifier: BSD-3-Clause
//
// Waiting for something that no request of the host stands for.
#pragma once

#include "run/engine.hpp"
#include "run/patience.hpp"

namespace mpix::run {

// Returns when `is_there()`. Meanwhile plans move, and so do the host's messages.
template<class Condition>
void wait_until(Condition is_there) {
    Patience patience;
    while (!is_there()) {
        {
            const Engine::Guard guard(engine());
            engine().progress_with_host();
        }
        patience.pause();
    }
}

} // namespace mpix::run
