// SPDX-License-Identifier: BSD-3-Clause
//
// Waiting within a call: plans move meanwhile, and so do the host's messages.
#pragma once

#include "host/symbols.hpp"
#include "progress/backoff.hpp"
#include "progress/engine.hpp"

namespace mpix::progress {

// For a request of the host. Returns the host's error code.
int wait_for(MPI_Request& request, MPI_Status* status = MPI_STATUS_IGNORE);

// For a wave that is under way.
void wait_for_wave(Operation& operation);

// How it is best waited for.
Manner manner_of(const Operation& operation);

// For what no request stands for: returns when `is_there()`.
template<class Condition>
void wait_until(Condition is_there, Manner manner = Manner::ours) {
    Backoff backoff(manner);
    if (is_there()) return;
    while (true) {
        {
            const Engine::Guard guard(engine());
            engine().progress_with_host();
        }
        if (is_there()) return;
        backoff.pause(); // the core may be gone
    }
}

} // namespace mpix::progress
