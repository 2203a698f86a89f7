// SPDX-License-Identifier: BSD-3-Clause
//
// What happened when, with MPIX_TRACE: events of this process, in memory that is had in MPI_Init
// and written to a file in MPI_Finalize. Recording takes no lock and no memory. When that is full
// what follows is counted alone: so the beginning is there, on every rank.
#pragma once

#include "base/immortal.hpp"
#include "plan/plan.hpp"
#include "progress/ticks.hpp"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string_view>
#include <vector>

namespace mpix::progress {

// What is told of an operation and its steps.
struct TracedStep {
    plan::Action action = plan::Action::copy;
    std::int32_t peer = -1; // in MPI_COMM_WORLD
    std::int32_t match = 0; // of a message: its way and number there, between two ranks; of a
                            // channel's: its number among them; of one of the host's: its tag;
                            // arrive: first partition
    std::int32_t arrivals = 0;
    plan::Bytes bytes = 0;
};
struct TracedPlan {
    const char* operation = "";   // "MPI_Allreduce_init"
    std::string_view solver = {}; // ends with 0; empty before there is a plan
    std::uint64_t name = 0;       // all ranks of the plan have the same
    bool is_message = false;      // of the host's, which is its only step and has its tag to match
    std::int32_t messages = 0;    // of a channel: those of all its slots, which follow each other
    std::size_t own_steps = 0;    // the first, before those of rivals
    std::vector<TracedStep> steps = {};
};

struct TraceEvent {
    enum class Kind : std::uint8_t { none, start, complete, step, mark, wait };

    std::int64_t begin = 0, end = 0; // ticks
    std::int32_t plan = -1;          // its index
    std::int32_t number = 0;         // of the step or the partition
    // Stored with release after the rest, and loaded with acquire before that is read: a thread may
    // still mark a partition while the others are written.
    std::atomic<Kind> kind{Kind::none};
};

class Trace {
  public:
    using Kind = TraceEvent::Kind;

    // Room for so many events, and for as many steps of plans. Before there are plans. Throws
    // bad_alloc.
    void begin(std::size_t events);
    bool is_on() const { return is_on_.load(std::memory_order_relaxed); }
    // From now on nothing else is traced: who waits now waits for the trace.
    void end() { is_on_.store(false, std::memory_order_relaxed); }
    std::int64_t origin() const { return origin_; }

    // Any thread. The place of the first of so many events, which need not all be put: a round
    // counts once for all that it may record. The number that is counted up orders nothing, and
    // stays near the room that there is.
    std::uint64_t reserve(std::size_t events) {
        if (next_.load(std::memory_order_relaxed) >= capacity_) return capacity_;
        return next_.fetch_add(events, std::memory_order_relaxed);
    }
    // At a place that nobody else has.
    void put(std::uint64_t place, Kind kind, std::int32_t plan, std::int32_t number,
             std::int64_t begin, std::int64_t end) {
        if (place >= capacity_) return drop();
        TraceEvent& event = events_[place];
        event.begin = begin;
        event.end = end;
        event.plan = plan;
        event.number = number;
        event.kind.store(kind, std::memory_order_release);
    }

    // Its index, or -1 where there is no room for it. Any thread. Throws bad_alloc.
    std::int32_t add_plan(const char* operation);
    // Tells what there is to know of it. False, and without its steps, if there is no room for
    // them.
    bool describe(std::int32_t plan, TracedPlan with);
    void drop() { dropped_.fetch_add(1, std::memory_order_relaxed); } // an event; orders nothing

    // ---- when it is written ----

    // visit(event) in no order.
    template<class Visit>
    void each(Visit visit) const {
        const std::uint64_t end = std::min(next_.load(std::memory_order_relaxed), capacity_);
        for (std::uint64_t at = 0; at < end; ++at)
            if (events_[at].kind.load(std::memory_order_acquire) != Kind::none) visit(events_[at]);
    }
    std::vector<TracedPlan> plans() const;
    std::uint64_t dropped() const { return dropped_.load(std::memory_order_relaxed); } // events

    // When the engine was last done with a step, in ticks. Under its guard.
    std::int64_t latest = 0;

  private:
    std::atomic<bool> is_on_{false}; // orders nothing
    std::unique_ptr<TraceEvent[]> events_;
    std::uint64_t capacity_ = 0; // written before there are plans
    std::int64_t origin_ = 0;
    std::atomic<std::uint64_t> next_{0}, dropped_{0};

    mutable std::mutex mutex_; // of what follows; nothing else is done while it is held
    std::vector<TracedPlan> plans_;
    std::size_t room_ = 0; // for plans and their steps
};

extern base::Immortal<Trace> the_trace;
inline Trace& trace() { return the_trace.value; }

} // namespace mpix::progress
