// SPDX-License-Identifier: BSD-3-Clause
//
// Steps in program order go in, the graph comes out. It must not know any algorithm.
#include "plan/builder.hpp"

#include <algorithm>
#include <utility>

namespace mpix::plan {
namespace {

// With their headers hosts send them whether they are awaited or not.
constexpr Bytes short_message = 2048;

} // namespace

Place Builder::scratch(Bytes bytes) {
    if (is_weightless_) return nothing(static_cast<std::size_t>(bytes));
    // A cache line apart, and on an element boundary.
    const Bytes unit = grain_ * ((64 + grain_ - 1) / grain_);
    const Place place{Buffer::scratch, plan_.scratch, bytes};
    plan_.scratch += (bytes + unit - 1) / unit * unit;
    return place;
}

Place Builder::nothing(std::size_t parts) {
    const auto length = static_cast<Bytes>(parts);
    return {Buffer::nothing, std::exchange(nothings_, nothings_ + length), length};
}

void Builder::send(int peer, const Place& from) {
    const bool waits =
        one_by_one_ && model_.asking(static_cast<double>(from.bytes)) > 0 && crosses(peer);
    const StepId before = waits ? one_by_one_->last_ : -1;
    each_part(cutting_with(peer), from.bytes, grain_, [&](Bytes begin, Bytes bytes) {
        if (before >= 0) needs_.push_back(before);
        message({.action = Action::send, .peer = peer}, from.part(begin, bytes));
        if (waits) one_by_one_->last_ = static_cast<StepId>(plan_.steps.size()) - 1;
    });
}

void Builder::recv(int peer, const Place& to) {
    last_received_ = cutting_with(peer);
    each_part(last_received_, to.bytes, grain_, [&](Bytes begin, Bytes bytes) {
        message({.action = Action::recv, .peer = peer}, to.part(begin, bytes));
    });
}

void Builder::combine(int peer, const Place& with, const Place& to, const Place& stage,
                      bool received_first) {
    each_part(cutting_with(peer), to.bytes, grain_, [&](Bytes begin, Bytes bytes) {
        const Place other = with.part(begin, bytes), room = stage.part(begin, bytes);
        reads(other);
        writes(room);
        message({.action = Action::combine,
                 .peer = peer,
                 .from = {other.buffer, other.offset},
                 .stage = {room.buffer, room.offset},
                 .received_first = received_first},
                to.part(begin, bytes));
    });
}

int Builder::rank_of(int peer) const {
    for (const Among* among = among_; among; among = among->around_)
        if (among->ranks_) peer = (*among->ranks_)[static_cast<std::size_t>(peer)];
    return peer;
}

bool Builder::crosses(int peer) const {
    const Among* whole = among_;
    while (whole && whole->around_) whole = whole->around_;
    return self_ >= 0 && whole && whole->nodes_.count() > 1 &&
           whole->nodes_.of(self_) != whole->nodes_.of(rank_of(peer));
}

Cutting Builder::cutting_with(int peer) const {
    return cutting_.part > 0 && crosses(peer) ? cutting_ : Cutting{};
}

void Builder::message(Step step, const Place& place) {
    step.peer = rank_of(step.peer);
    Traffic& traffic = traffic_[{step.peer, receives(step.action)}];
    const auto self = static_cast<StepId>(plan_.steps.size());
    step.tag_offset = traffic.count++ % tags_;
    if (static_cast<std::size_t>(step.tag_offset) == traffic.last.size()) {
        traffic.last.push_back(self);
    } else {
        StepId& last = traffic.last[static_cast<std::size_t>(step.tag_offset)];
        needs_.push_back(std::exchange(last, self));
    }
    if (step.action == Action::send) reads(place);
    if (receives(step.action)) writes(place);
    if (phases_ && receives(step.action)) phases_->receive(self, place.bytes, needs_);
    step.to = {place.buffer, place.offset};
    if (step.action != Action::combine) step.from = step.to;
    step.bytes = place.bytes;
    step.may_fragment = are_joined_ && place.bytes > 0;
    add(step);
}

void Builder::copy(const Place& from, const Place& to) {
    if (from.bytes == 0 || from == to) return;
    reads(from);
    writes(to);
    add({.action = Action::copy,
         .from = {from.buffer, from.offset},
         .to = {to.buffer, to.offset},
         .bytes = from.bytes});
}

// What has come in parts is combined part by part.
void Builder::reduce(const Place& from, const Place& to) {
    each_part(last_received_, from.bytes, grain_, [&](Bytes begin, Bytes bytes) {
        const Place lower = from.part(begin, bytes), upper = to.part(begin, bytes);
        reads(lower);
        writes(upper);
        add({.action = Action::reduce,
             .from = {lower.buffer, lower.offset},
             .to = {upper.buffer, upper.offset},
             .bytes = bytes});
    });
}

void Builder::gate(const Place& place) {
    writes(place, id_of_gate(gates_.size()));
    gates_.push_back({.place = place});
    needs_.clear(); // two partitions in one place are ready one by one
}

void Builder::arrive(const Place& place, const Place& other) {
    plan_.arrival_bytes.push_back(place.buffer == Buffer::nothing ? 0 : place.bytes);
    if (other.bytes == 0 && joins_last_arrival(place)) return;
    if (other.bytes > 0) reads(other);
    if (place.bytes > 0) reads(place);
    add({.action = Action::arrive,
         .to = {place.buffer, place.offset},
         .bytes = place.bytes,
         .number = plan_.arrivals++});
}

// Partitions that wait for the same arrive together, in one step.
bool Builder::joins_last_arrival(const Place& place) {
    if (plan_.steps.empty() || plan_.steps.back().action != Action::arrive) return false;
    Step& last = plan_.steps.back();
    const bool follows =
        last.to.buffer == place.buffer && last.to.offset + last.bytes == place.offset;
    if (is_blocks(place.buffer) || !follows) return false;
    Needs needs;
    ledger(place.buffer)
        .read(place.offset, place.offset + place.bytes, static_cast<StepId>(plan_.steps.size() - 1),
              needs);
    std::sort(needs.begin(), needs.end());
    needs.erase(std::unique(needs.begin(), needs.end()), needs.end());
    if (needs != before_.back()) return false;
    last.bytes += place.bytes;
    ++last.arrivals;
    ++plan_.arrivals;
    return true;
}

void Builder::Phases::receive(StepId step, Bytes bytes, Needs& needs) {
    if (bytes <= short_message) needs.insert(needs.end(), before_.begin(), before_.end());
    now_.push_back(step);
}

void Builder::fence() {
    if (fence_end_ == static_cast<StepId>(plan_.steps.size())) return; // the last one still holds
    fence_begin_ = fence_end_;
    fence_end_ = static_cast<StepId>(plan_.steps.size());
}

void Builder::join() {
    fence();
    add({.action = Action::copy});
    fence();
}

void Builder::delegate() {
    Step step;
    step.action = Action::delegate;
    add(step);
}

StepId Builder::member(std::int32_t number, std::span<const StepId> after) {
    needs_.assign(after.begin(), after.end());
    add({.action = Action::member, .number = number});
    return static_cast<StepId>(plan_.steps.size() - 1);
}

void Builder::call() { add({.action = Action::call}); }

void Builder::reads(const Place& place) {
    const Bytes length = is_blocks(place.buffer) ? 1 : place.bytes;
    ledger(place.buffer)
        .read(place.offset, place.offset + length, static_cast<StepId>(plan_.steps.size()), needs_);
}

void Builder::writes(const Place& place) { writes(place, static_cast<StepId>(plan_.steps.size())); }

void Builder::writes(const Place& place, StepId by) {
    const Bytes length = is_blocks(place.buffer) ? 1 : place.bytes;
    ledger(place.buffer).write(place.offset, place.offset + length, by, needs_);
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

// Places in nothing have done their work: they have put the steps in order.
void Builder::empty_steps() {
    for (Step& step : plan_.steps) {
        if (step.to.buffer != Buffer::nothing) continue;
        step.from.offset = step.to.offset = step.bytes = 0;
        step.may_fragment = false;
        if (step.action == Action::combine) step.action = Action::recv;
        if (step.action == Action::reduce) step.action = Action::copy;
    }
}

// The successors of gates, then those of steps.
void Builder::lay_out_edges() {
    std::uint32_t next = 0;
    const auto reserve = [&next](auto& source) {
        source.first_successor = next;
        next += std::exchange(source.successors, 0);
    };
    plan_.gates = std::move(gates_);
    for (Gate& gate : plan_.gates) reserve(gate);
    for (Step& step : plan_.steps) reserve(step);
    plan_.edges.resize(next);
}

Plan Builder::finish(std::string_view solver, double expected_us) && {
    plan_.solver = solver;
    plan_.expected_us = expected_us;
    empty_steps();
    for (std::size_t id = 0; id < before_.size(); ++id) {
        if (before_[id].empty()) before_[id].assign(1, at_start);
        plan_.steps[id].needs = static_cast<std::int32_t>(before_[id].size());
        for (const StepId need : before_[id])
            is_gate(need) ? ++gates_[gate_of(need)].successors
                          : ++plan_.steps[static_cast<std::size_t>(need)].successors;
    }
    lay_out_edges();
    const auto connect = [this](auto& source, std::size_t to) {
        plan_.edges[source.first_successor + source.successors++] = static_cast<StepId>(to);
    };
    for (std::size_t id = 0; id < before_.size(); ++id)
        for (const StepId need : before_[id])
            is_gate(need) ? connect(plan_.gates[gate_of(need)], id)
                          : connect(plan_.steps[static_cast<std::size_t>(need)], id);
    return std::move(plan_);
}

} // namespace mpix::plan
