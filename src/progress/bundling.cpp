// SPDX-License-Identifier: BSD-3-Clause
//
// Operations that are bundles or members of them, and what the program does itself: their part and
// the engine's. Under the engine's guard.
#include "base/busy.hpp"
#include "base/closed.hpp"
#include "progress/engine.hpp"
#include "progress/quick_rounds.hpp"
#include "progress/unbound.hpp"

#include <algorithm>

namespace mpix::progress {

using plan::StepId;

bool Bundles::any_active() const {
    return std::ranges::any_of(
        all, [](const Operation* bundle) { return bundle->state() != Operation::State::inactive; });
}

bool Member::is_active() const { return operation ? !operation->is_free() : message->is_active(); }

Members::~Members() {
    if (base::is_closed()) return;
    for (Member& member : all)
        if (member.message && member.message->request != MPI_REQUEST_NULL)
            HOST(Request_free)(&member.message->request);
}

const std::shared_ptr<Bundles>& Operation::bundles() {
    if (!bundles_) bundles_ = std::make_shared<Bundles>();
    is_plain_ = false;
    return bundles_;
}

// At the end they may be gone already.
void Operation::leave_members() {
    for (const Member& member : members()->all) std::erase(member.bundles->all, this);
}

void Operation::claim() {
    claim_alone();
    if (callbacks()) callbacks()->begin_round();
    if (members())
        for (const Member& member : members()->all)
            if (member.operation)
                member.is_light ? member.operation->claim_alone() : member.operation->claim();
    if (!partitions()) return;
    partitions()->send.postpone();
    start_round();
}

void Operation::open_claimed() {
    note_start();
    is_claimed_ = false;
    if (!is_bound_) return started_unbound(*this);
    if (has_gates()) partitions()->send.open(true);
    slot_ring_ ? open_round() : run();
}

bool Operation::open_claimed_quickly() {
    if (!start_quickly()) return false;
    is_claimed_ = false;
    return true;
}

void Operation::reorder(plan::Plan plan) {
    steps_.reorder(std::move(plan));
    queue_.reorder(this->plan());
    order_first_steps();
}

bool Operation::call() {
    int code = MPI_SUCCESS;
    const bool is_done = callbacks()->turn(code);
    note(code);
    return is_done;
}

bool Operation::ask(plan::StepId id) {
    if (step(id).action == plan::Action::call) return call();
    Operation& member = *this->member(id).operation;
    if (member.is_idle() ? !member.is_done_quickly() : member.state() == State::active)
        return false;
    // Inactive: the program has completed it by itself, against the rules.
    if (member.state() != State::inactive) note(member.finish());
    return true;
}

void Engine::start_claimed(Operation& operation) {
    const std::size_t before = polled_.size();
    {
        const base::Busy busy(is_busy_);
        operation.open_claimed();
        enter(operation);
    }
    if (!is_busy_) poll_from(before);
}

bool Engine::start_member(Operation& bundle, StepId id) {
    Operation* const member = bundle.member(id).operation;
    if (!member || !member->open_claimed_quickly()) return start_long_member(bundle, id);
    // What has come is looked at when all have been started.
    if (member->is_idle()) return poll_later(bundle, id);
    bundle.note(member->finish());
    return true;
}

bool Engine::start_long_member(Operation& bundle, StepId id) {
    Operation* const member = bundle.member(id).operation;
    if (!member) return start_message(bundle, id);
    member->open_claimed();
    enter(*member);
    return bundle.ask(id) || poll_later(bundle, id);
}

bool Engine::start_message(Operation& bundle, StepId id) {
    HostMessage& message = *bundle.member(id).message;
    if (!message.make) return true;
    MPI_Request& request = message.request; // null: it could not be made once more
    const int code = request == MPI_REQUEST_NULL ? MPI_ERR_REQUEST : HOST(Start)(&request);
    bundle.note(code);
    if (code != MPI_SUCCESS) return true;
    hold(bundle, id, request);
    return false;
}

bool Engine::poll_later(Operation& operation, StepId id) {
    polled_.push_back({{&operation, id}});
    if (polled_.size() == 1) count_pending(); // else there was something pending
    return false;
}

// A function of the program that tests something comes back here. If that called all others each
// time, a turn of n functions would take n! calls.
bool Engine::poll() {
    if (polls_ > 0 && ++inner_turns_ < turns_before_inner_poll) return false;
    return poll_from(0);
}

// Functions of the program find the engine idle, and their own steps asked already.
bool Engine::poll_from(std::size_t first) {
    bool found = false;
    ++polls_;
    for (std::size_t i = first; i < polled_.size(); ++i) {
        const auto [operation, id] = polled_[i].owner;
        if (!operation || polled_[i].is_asked) continue;
        polled_[i].is_asked = true;
        const unsigned outer_turns = std::exchange(inner_turns_, 0);
        const bool is_done = operation->ask(id);
        inner_turns_ = outer_turns;
        polled_[i].is_asked = false;
        if (!is_done) continue;
        found = true;
        polled_[i].owner.operation = nullptr;
        const base::Busy busy(is_busy_);
        operation->done(id);
        advance(*operation);
    }
    if (--polls_ > 0) return found;
    std::erase_if(polled_, [](const Polled& polled) { return !polled.owner.operation; });
    count_pending();
    return found;
}

} // namespace mpix::progress
