// SPDX-License-Identifier: BSD-3-Clause
//
// Bringing together starts and completions, and finding lanes. A span takes the first lane where
// nothing else is, or a round or a wait that it is within.
#include "progress/trace_timeline.hpp"

#include <algorithm>
#include <deque>
#include <functional>
#include <tuple>

namespace mpix::progress {
namespace {

using Kind = TraceSpan::Kind;

class Spans {
  public:
    explicit Spans(const std::vector<TracedPlan>& plans) : of_plans_(plans.size()) {
        for (std::size_t i = 0; i < plans.size(); ++i)
            of_plans_[i].done.resize(plans[i].steps.size());
    }

    void add(const TraceEvent& event) {
        if (!is_known(event)) return;
        last_ = std::max(last_, event.end);
        switch (event.kind.load(std::memory_order_relaxed)) {
        case Trace::Kind::start: return of(event).starts.push_back(event.begin);
        case Trace::Kind::complete: return complete(event);
        case Trace::Kind::step: return add_step(event);
        case Trace::Kind::mark: add(Kind::mark, event, event.number); return;
        case Trace::Kind::wait: return add_wait(event);
        case Trace::Kind::none: return;
        }
    }

    std::vector<TraceSpan> take() && {
        for (std::size_t plan = 0; plan < of_plans_.size(); ++plan)
            for (const std::int64_t begin : of_plans_[plan].starts)
                spans_.push_back({.begin = begin,
                                  .end = last_,
                                  .kind = Kind::round,
                                  .is_open = true,
                                  .plan = static_cast<std::int32_t>(plan),
                                  .number = of_plans_[plan].rounds++});
        for (TraceSpan& span : spans_) span.end = std::max(span.end, span.begin + 1);
        return std::move(spans_);
    }

  private:
    struct OfPlan {
        std::deque<std::int64_t> starts; // of rounds that run
        std::int32_t rounds = 0;
        std::vector<std::int32_t> done; // by step: how often
    };
    // A session that goes on may have made further plans meanwhile.
    bool is_known(const TraceEvent& event) const {
        if (event.plan < 0) return true;
        const auto plan = static_cast<std::size_t>(event.plan);
        return plan < of_plans_.size() &&
               (event.kind.load(std::memory_order_relaxed) != Trace::Kind::step ||
                static_cast<std::size_t>(event.number) < of_plans_[plan].done.size());
    }
    OfPlan& of(const TraceEvent& event) { return of_plans_[static_cast<std::size_t>(event.plan)]; }

    TraceSpan& add(Kind kind, const TraceEvent& event, std::int32_t number) {
        return spans_.emplace_back(TraceSpan{.begin = event.begin,
                                             .end = event.end,
                                             .kind = kind,
                                             .plan = event.plan,
                                             .number = number});
    }
    void complete(const TraceEvent& event) {
        OfPlan& plan = of(event);
        if (plan.starts.empty()) return;
        add(Kind::round, event, plan.rounds++).begin = plan.starts.front();
        plan.starts.pop_front();
        completed_ = event.plan;
        completed_at_ = event.end;
    }
    void add_step(const TraceEvent& event) {
        add(Kind::step, event, event.number).times =
            of(event).done[static_cast<std::size_t>(event.number)]++;
    }
    void add_wait(const TraceEvent& event) {
        add(Kind::wait, event, 0).plan = completed_at_ >= event.begin ? completed_ : -1;
    }

    std::vector<OfPlan> of_plans_;
    std::vector<TraceSpan> spans_;
    std::int64_t last_ = 0, completed_at_ = 0;
    std::int32_t completed_ = -1;
};

// By when they were recorded.
std::vector<const TraceEvent*> in_order(const Trace& trace) {
    std::vector<const TraceEvent*> events;
    trace.each([&](const TraceEvent& event) { events.push_back(&event); });
    std::ranges::stable_sort(events, std::less<>(), [](const TraceEvent* of) { return of->end; });
    return events;
}

class Lanes {
  public:
    std::int32_t place(const TraceSpan& span, std::int32_t from) {
        auto lane = static_cast<std::size_t>(from);
        while (lane < lanes_.size() && !has_room(lanes_[lane], span)) ++lane;
        if (lane >= lanes_.size()) lanes_.resize(lane + 1);
        lanes_[lane].push_back({span.end, span.plan});
        return static_cast<std::int32_t>(lane);
    }

  private:
    struct Open {
        std::int64_t end;
        std::int32_t plan;
    };
    static bool has_room(std::vector<Open>& lane, const TraceSpan& span) {
        while (!lane.empty() && lane.back().end <= span.begin) lane.pop_back();
        if (lane.empty()) return true;
        const bool may_be_within =
            span.kind == Kind::wait || (span.kind != Kind::round && lane.back().plan == span.plan);
        return may_be_within && span.end <= lane.back().end;
    }
    std::vector<std::vector<Open>> lanes_;
};

} // namespace

std::vector<TraceSpan> timeline(const Trace& trace, const std::vector<TracedPlan>& plans) {
    Spans found(plans);
    for (const TraceEvent* event : in_order(trace)) found.add(*event);
    std::vector<TraceSpan> spans = std::move(found).take();
    std::ranges::sort(spans, [](const TraceSpan& a, const TraceSpan& b) {
        return std::tuple(a.begin, a.kind, -a.end, a.number) <
               std::tuple(b.begin, b.kind, -b.end, b.number);
    });
    Lanes waits, rounds;
    std::vector<std::int32_t> lane_of(plans.size()); // of the latest round
    for (TraceSpan& span : spans) {
        if (span.kind == Kind::wait) {
            span.lane = waits.place(span, 0);
            continue;
        }
        std::int32_t& lane = lane_of[static_cast<std::size_t>(span.plan)];
        const std::int32_t found_lane = rounds.place(span, span.kind == Kind::round ? 0 : lane);
        if (span.kind == Kind::round) lane = found_lane;
        span.lane = first_plan_lane + found_lane;
    }
    return spans;
}

} // namespace mpix::progress
