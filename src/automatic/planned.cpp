// SPDX-License-Identifier: BSD-3-Clause
//
// The lines of calls, one a plan, and what the engine's turns do for them.
#include "automatic/planned.hpp"

#include "base/closed.hpp"
#include "progress/engine.hpp"
#include "progress/waiting.hpp"

#include <utility>

namespace mpix::automatic {

using progress::Engine;
using progress::engine;
using State = progress::Operation::State;

namespace {

Planned* first_pending = nullptr; // of the plans that have calls

} // namespace

void Planned::begin(PendingCall& call) {
    if (has_calls()) {
        last_call_ = last_call_->next = &call;
        return;
    }
    first_call_ = last_call_ = &call;
    begin_first();
    if (!has_calls()) return;
    next_pending_ = std::exchange(first_pending, this);
    engine().listen(Engine::Listener::queued_calls, look_at_all);
}

void Planned::begin_first() {
    while (has_calls()) {
        const int code = code_of([this] {
            move(first_call_->places());
            engine().start(*operation);
        });
        if (code == MPI_SUCCESS && operation->state() == State::active) return;
        drop_first(code == MPI_SUCCESS ? operation->finish() : code);
    }
}

void Planned::drop_first(int code) {
    PendingCall& call = *std::exchange(first_call_, first_call_->next);
    call.conclude(code);
}

// True if a call is done.
bool Planned::look() {
    if (operation->state() == State::active) return false;
    drop_first(operation->finish());
    begin_first();
    return true;
}

bool Planned::look_at_all() {
    bool found = false;
    for (Planned** at = &first_pending; *at;) {
        Planned& planned = **at;
        found |= planned.look();
        if (planned.has_calls())
            at = &planned.next_pending_;
        else
            *at = std::exchange(planned.next_pending_, nullptr);
    }
    if (!first_pending) engine().listen(Engine::Listener::queued_calls, nullptr);
    return found;
}

void Planned::wait_for_calls() {
    const auto has_none = [this] {
        const Engine::Guard guard(engine());
        return !has_calls();
    };
    if (!has_none() && !base::is_closed()) progress::wait_until(has_none);
}

} // namespace mpix::automatic
