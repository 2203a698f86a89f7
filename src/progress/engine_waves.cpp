// SPDX-License-Identifier: BSD-3-Clause
//
// Waves: between the Start and who waits nothing is to be done, so that they are begun and looked
// at without the ways that others go.
#include "base/busy.hpp"
#include "progress/engine.hpp"
#include "progress/quick_rounds.hpp"

#include <utility>
#include <vector>

namespace mpix::progress {

using plan::Action;
using plan::StepId;

void Engine::start_wave(Operation& operation) {
    const base::Busy busy(is_busy_);
    operation.open_wave();
    ++waves_;
    operation.wave().clear();
    bool has_room = true;
    for (const StepId id : operation.first_steps()) has_room &= begin_in_wave(operation, id);
    operation.ring();
    if (!has_room) [[unlikely]]
        return begin_idle(operation);
    note_start(operation);
}

// False if there is no room on its queue, which only the engine waits for.
bool Engine::begin_in_wave(Operation& operation, StepId id) try {
    Bound& bound = operation.bound(id);
    Wave& wave = operation.wave();
    if (bound.out) {
        bound.out->begin(bound.from);
        if (bound.out->proceed()) return true;
        wave.on_queues.push_back(id);
        return false;
    }
    if (bound.in) {
        bound.in->begin();
        if (!operation.take(id)) wave.on_queues.push_back(id);
        return true;
    }
    const MPI_Request request = begin_of_host(operation, id);
    if (request != MPI_REQUEST_NULL) wave.requests.hold(id, request);
    return true;
} catch (...) { // as in execute()
    operation.note(caught());
    return true;
}

// Null where the step is done.
MPI_Request Engine::begin_of_host(Operation& operation, StepId id) {
    Bound& bound = operation.bound(id);
    switch (bound.action) {
    case Action::send: return post_send(operation, bound);
    case Action::recv:
    case Action::combine: return post_receive(operation, bound);
    case Action::delegate: return post_delegate(operation);
    default: execute(operation, id); // within the rank
    }
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
    const Wave& wave = operation.wave();
    if (!wave.on_queues.empty()) take_from_queues(operation);
    if (!wave.requests.empty())
        test(operation, std::exchange(yields_first_, false));
    else if (!wave.on_queues.empty())
        ask_host_now_and_then();
    if (!wave.empty()) return false;
    --waves_;
    operation.end_wave();
    return true;
}

void Engine::take_from_queues(Operation& operation) {
    const base::Busy busy(is_busy_);
    const auto take = [&](StepId id) { return operation.take(id); };
    if (std::erase_if(operation.wave().on_queues, take) > 0) operation.ring();
}

void Engine::test(Operation& in_wave, bool yields_first) {
    const base::Busy busy(is_busy_);
    const host::KeepCore keep_core;
    auto& requests = in_wave.wave().requests;
    if (!look_for(requests, yields_first)) return;
    found_.each([&](std::size_t at, const MPI_Status& status) {
        const StepId id = requests.owner(at);
        note_outcome({&in_wave, id}, requests.request(at), found_.code, status);
        in_wave.received(id);
    });
    requests.release(found_);
}

// Somebody waits for others too.
void Engine::take_over(Operation& operation) {
    Wave& wave = operation.wave();
    --waves_;
    for (std::size_t i = 0; i < wave.requests.size(); ++i)
        hold(operation, wave.requests.owner(i), wave.requests.request(i));
    for (const StepId id : wave.on_queues) {
        const Bound& bound = operation.bound(id);
        await(operation, id, bound.out ? bound.out->awaited() : bound.in->awaited());
    }
    if (wave.empty()) operation.end_wave();
    wave.clear();
}

} // namespace mpix::progress
