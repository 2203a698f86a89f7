// SPDX-License-Identifier: BSD-3-Clause
//
// Operations that are bundles or members of them, and what the program does itself. Under the
// engine's guard.
#include "run/operation.hpp"
#include "run/process.hpp"

#include <algorithm>

namespace mpix::run {

bool Bundles::any_active() const {
    return std::ranges::any_of(
        all, [](const Operation* bundle) { return bundle->state() != Operation::State::inactive; });
}

bool Member::is_active() const { return operation ? !operation->is_free() : is_message_active(); }

Members::~Members() {
    if (is_closed()) return;
    for (Member& member : all)
        if (member.request != MPI_REQUEST_NULL) HOST(Request_free)(&member.request);
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
    set(State::active);
    is_claimed_ = true;
    error_ = standing_error_;
    if (callbacks()) callbacks()->begin_round();
    if (members())
        for (const Member& member : members()->all)
            if (member.operation) member.operation->claim();
    if (!partitions()) return;
    partitions()->gates.postpone();
    start_round();
}

void Operation::open_claimed() {
    meter_.start();
    is_claimed_ = false;
    if (!is_bound_) return;
    if (has_gates()) partitions()->gates.open(true);
    run();
}

void Operation::reorder(plan::Plan plan) {
    std::vector<std::int32_t> needs;
    for (const plan::Step& step : plan.steps) needs.push_back(step.needs);
    plan_ = std::move(plan);
    initial_needs_ = std::move(needs);
    order_first_steps();
}

bool Operation::ask(plan::StepId id) {
    if (step(id).action == plan::Action::call) {
        int code = MPI_SUCCESS;
        const bool is_done = callbacks()->turn(code);
        note(code);
        return is_done;
    }
    Operation& member = *this->member(id).operation;
    if (member.state() == State::active) return false;
    note(member.finish());
    return true;
}

} // namespace mpix::run
