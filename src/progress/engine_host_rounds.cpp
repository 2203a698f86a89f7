// SPDX-License-Identifier: BSD-3-Clause
//
// Rounds that are the host's messages and nothing else: between the Start and who waits nothing is
// to be done, so that they are begun and looked at without the ways that others go.
#include "base/busy.hpp"
#include "progress/engine.hpp"
#include "progress/quick_rounds.hpp"

#include <utility>

namespace mpix::progress {

using plan::Action;
using plan::StepId;

void Engine::start_host_round(Operation& operation) {
    const base::Busy busy(is_busy_);
    HostRound& round = operation.host_round();
    operation.open_host_round();
    round.clear();
    for (const StepId id : operation.first_steps()) {
        const MPI_Request request = begin_in_host_round(operation, id);
        if (request != MPI_REQUEST_NULL) round.hold(id, request);
    }
    note_start(operation);
}

// Null where the step is done.
MPI_Request Engine::begin_in_host_round(Operation& operation, StepId id) try {
    Bound& bound = operation.bound(id);
    switch (bound.action) {
    case Action::send: return post_send(operation, bound);
    case Action::recv:
    case Action::combine: return post_receive(operation, bound);
    case Action::delegate: return post_delegate(operation);
    default: execute(operation, id); // within the rank
    }
    return MPI_REQUEST_NULL;
} catch (...) { // as in execute()
    operation.note(caught());
    return MPI_REQUEST_NULL;
}

// The last look alone may give the core away.
bool Engine::progress_and_look_at(Operation& operation) {
    if (has_pending()) {
        const bool yields_first = std::exchange(yields_first_, false);
        progress();
        yields_first_ = yields_first;
    }
    return look_at(operation);
}

bool Engine::look_at(Operation& operation) {
    HostRound& round = operation.host_round();
    if (!round.empty()) {
        const base::Busy busy(is_busy_);
        const host::KeepCore keep_core;
        if (!look_for(round, std::exchange(yields_first_, false))) return false;
        found_.each([&](std::size_t at, const MPI_Status& status) {
            const StepId id = round.owner(at);
            note_outcome({&operation, id}, round.request(at), found_.code, status);
            operation.received(id);
        });
        round.release(found_);
        if (!round.empty()) return false;
    }
    operation.end_host_round();
    return true;
}

// Somebody waits for others too.
void Engine::take_over(Operation& operation) {
    HostRound& round = operation.host_round();
    for (std::size_t i = 0; i < round.size(); ++i)
        hold(operation, round.owner(i), round.request(i));
    if (round.empty()) operation.end_host_round();
    round.clear();
}

} // namespace mpix::progress
