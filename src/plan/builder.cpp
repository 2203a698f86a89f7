// SPDX-License-Identifier: BSD-3-Clause
//
// Steps in program order go in, the graph comes out. It must not know any algorithm.
#include "plan/builder.hpp"

#include <algorithm>

namespace mpix::plan {

Place Builder::scratch(Bytes bytes) {
    // A cache line apart, and on an element boundary.
    const Bytes unit = grain_ * ((64 + grain_ - 1) / grain_);
    const Place place{Room::scratch, plan_.scratch, bytes};
    plan_.scratch += (bytes + unit - 1) / unit * unit;
    return place;
}

void Builder::send(int peer, const Place& from) {
    if (from.bytes > 0) message({.action = Action::send, .peer = peer}, from);
}

void Builder::recv(int peer, const Place& to) {
    if (to.bytes > 0) message({.action = Action::recv, .peer = peer}, to);
}

void Builder::combine(int peer, const Place& with, const Place& to, const Place& stage,
                      bool received_first) {
    if (to.bytes == 0) return;
    reads(with);
    writes(stage);
    message({.action = Action::combine,
             .peer = peer,
             .from = {with.room, with.offset},
             .stage = {stage.room, stage.offset},
             .received_first = received_first},
            to);
}

void Builder::message(Step step, const Place& place) {
    if (among_) step.peer = (*among_)[static_cast<std::size_t>(step.peer)];
    Traffic& traffic = traffic_[{step.peer, receives(step.action)}];
    step.lane = traffic.count % lanes;
    StepId& last = traffic.last[static_cast<std::size_t>(step.lane)];
    if (traffic.count++ >= lanes) needs_.push_back(last);
    last = static_cast<StepId>(plan_.steps.size());
    if (step.action == Action::send) reads(place);
    if (receives(step.action)) writes(place);
    step.to = {place.room, place.offset};
    if (step.action != Action::combine) step.from = step.to;
    step.bytes = place.bytes;
    add(step);
}

void Builder::copy(const Place& from, const Place& to) {
    if (from.bytes == 0 || from == to) return;
    reads(from);
    writes(to);
    add({.action = Action::copy,
         .from = {from.room, from.offset},
         .to = {to.room, to.offset},
         .bytes = from.bytes});
}

void Builder::reduce(const Place& from, const Place& to) {
    if (from.bytes == 0) return;
    reads(from);
    writes(to);
    add({.action = Action::reduce,
         .from = {from.room, from.offset},
         .to = {to.room, to.offset},
         .bytes = from.bytes});
}

void Builder::fence() {
    if (fence_end_ == static_cast<StepId>(plan_.steps.size())) return; // the last one still holds
    fence_begin_ = fence_end_;
    fence_end_ = static_cast<StepId>(plan_.steps.size());
}

void Builder::delegate() {
    Step step;
    step.action = Action::delegate;
    add(step);
}

void Builder::reads(const Place& place) {
    const Bytes length = is_blocks(place.room) ? 1 : place.bytes;
    ledger(place.room)
        .read(place.offset, place.offset + length, static_cast<StepId>(plan_.steps.size()), needs_);
}

void Builder::writes(const Place& place) {
    const Bytes length = is_blocks(place.room) ? 1 : place.bytes;
    ledger(place.room)
        .write(place.offset, place.offset + length, static_cast<StepId>(plan_.steps.size()),
               needs_);
}

void Builder::add(const Step& step) {
    const auto self = static_cast<StepId>(plan_.steps.size());
    for (StepId id = fence_begin_; id < fence_end_; ++id) needs_.push_back(id);
    std::sort(needs_.begin(), needs_.end());
    needs_.erase(std::unique(needs_.begin(), needs_.end()), needs_.end());
    // A step that reads and writes one place finds itself in the ledger.
    if (!needs_.empty() && needs_.back() == self) needs_.pop_back();
    plan_.steps.push_back(step);
    before_.push_back(std::move(needs_));
    needs_.clear();
}

Plan Builder::finish(std::string_view solver, double expected_us) && {
    plan_.solver = solver;
    plan_.expected_us = expected_us;
    Gate start;
    for (std::size_t id = 0; id < before_.size(); ++id) {
        Step& step = plan_.steps[id];
        step.needs = static_cast<std::int32_t>(before_[id].size());
        for (const StepId need : before_[id])
            ++plan_.steps[static_cast<std::size_t>(need)].successors;
        if (step.needs == 0) {
            step.needs = 1;
            plan_.edges.push_back(static_cast<StepId>(id));
        }
    }
    start.successors = static_cast<std::uint32_t>(plan_.edges.size());
    plan_.gates.push_back(start);
    std::uint32_t next = start.successors;
    for (Step& step : plan_.steps) {
        step.first_successor = next;
        next += step.successors;
        step.successors = 0;
    }
    plan_.edges.resize(next);
    for (std::size_t id = 0; id < before_.size(); ++id)
        for (const StepId need : before_[id]) {
            Step& earlier = plan_.steps[static_cast<std::size_t>(need)];
            plan_.edges[earlier.first_successor + earlier.successors++] = static_cast<StepId>(id);
        }
    return std::move(plan_);
}

} // namespace mpix::plan
