// SPDX-License-Identifier: BSD-3-Clause
//
// Waiting for a request of the host.
#include "progress/waiting.hpp"

#include "progress/operation.hpp"

namespace mpix::progress {

int wait_for(MPI_Request& request, MPI_Status* status) {
    Backoff backoff;
    int done = 0;
    while (true) {
        {
            const host::KeepCore keep_core;
            const int code = HOST(Test)(&request, &done, status);
            if (request == MPI_REQUEST_NULL)
                return code; // else it is under way, whatever the host said
        }
        {
            const Engine::Guard guard(engine());
            engine().progress();
        }
        backoff.pause();
    }
}

Manner manner_of(const Operation& operation) {
    if (operation.waits_in_turn()) return Manner::in_turn;
    if (operation.waits_asleep()) return Manner::asleep;
    return operation.waits_promptly() ? Manner::promptly : Manner::ours;
}

void wait_for_wave(Operation& operation) {
    Backoff backoff(manner_of(operation));
    while (true) {
        if (engine().progress_and_look_at(operation)) return;
        backoff.pause();
    }
}

} // namespace mpix::progress
