// SPDX-License-Identifier: BSD-3-Clause
//
// The memory of a trace.
#include "progress/trace.hpp"

#include "progress/watchers.hpp"

#include <utility>

namespace mpix::progress {

constinit base::Immortal<Trace> the_trace;

void Trace::begin(std::size_t events) {
    events_ = std::make_unique<TraceEvent[]>(events);
    room_ = events;
    ticks.begin();
    origin_ = clock_now();
    capacity_ = events;
    is_on_.store(events > 0, std::memory_order_relaxed);
    watchers.fetch_add(1, std::memory_order_relaxed); // to the end
}

std::int32_t Trace::add_plan(const char* operation) {
    const std::lock_guard lock(mutex_);
    if (room_ == 0) return -1;
    plans_.push_back({.operation = operation});
    --room_;
    return static_cast<std::int32_t>(plans_.size() - 1);
}

bool Trace::describe(std::int32_t plan, TracedPlan with) {
    const std::lock_guard lock(mutex_);
    const bool has_room = with.steps.size() <= room_;
    if (has_room)
        room_ -= with.steps.size();
    else
        with.steps.clear();
    plans_[static_cast<std::size_t>(plan)] = std::move(with);
    return has_room;
}

std::vector<TracedPlan> Trace::plans() const {
    const std::lock_guard lock(mutex_);
    return plans_;
}

} // namespace mpix::progress
