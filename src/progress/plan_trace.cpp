// SPDX-License-Identifier: BSD-3-Clause
//
// Recording.
#include "progress/plan_trace.hpp"

#include "base/hash.hpp"
#include "host/host.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace mpix::progress {

using plan::Action;
using plan::Step;
using plan::StepId;

namespace {

// The ranks in MPI_COMM_WORLD of the peer of each step, and of the first of `comm`.
std::vector<int> world_ranks(MPI_Comm comm, const std::vector<Step>& steps) {
    std::vector<int> ranks(steps.size() + 1);
    std::ranges::transform(steps, ranks.begin(),
                           [](const Step& step) { return std::max(step.peer, 0); });
    return host::world_ranks(comm, ranks);
}

// Of messages between two ranks in one way, which may share tags, the n-th that is sent is the n-th
// that is received.
class Matches {
  public:
    explicit Matches(const plan::Plan& plan) : plan_(plan) {}

    // Of the steps that are messages, one after the other.
    std::int32_t next(std::size_t step) {
        constexpr std::int32_t ways_apart = 1 << 16; // more than messages between two ranks
        const Step& message = plan_.steps[step];
        if (plan_.slots > 0) return messages_++;
        for (; static_cast<StepId>(step) >= plan_.range(way_).end; ++way_) counts_.clear();
        return static_cast<std::int32_t>(way_) * ways_apart +
               counts_[{message.peer, message.action == Action::send}]++;
    }

  private:
    const plan::Plan& plan_;
    std::size_t way_ = 0;
    std::int32_t messages_ = 0;
    std::map<std::pair<int, bool>, std::int32_t> counts_;
};

std::vector<TracedStep> traced(const plan::Plan& plan, const std::vector<int>& world) {
    std::vector<TracedStep> all;
    all.reserve(plan.steps.size());
    Matches matches(plan);
    for (const Step& step : plan.steps) {
        TracedStep& one = all.emplace_back(TracedStep{.action = step.action, .bytes = step.bytes});
        if (step.peer >= 0) {
            one.peer = world[all.size() - 1];
            one.match = matches.next(all.size() - 1);
        } else if (step.action == Action::arrive) {
            one.match = step.number;
            one.arrivals = step.arrivals;
        }
    }
    return all;
}

std::int32_t messages_of(const plan::Plan& plan) {
    return static_cast<std::int32_t>(
        std::ranges::count_if(plan.steps, [](const Step& step) { return step.peer >= 0; }));
}

} // namespace

PlanTrace::PlanTrace(const char* operation)
    : operation_(operation), index_(trace().add_plan(operation)) {}

// What stands for no message has no communicator.
void PlanTrace::bind(const plan::Plan& plan, const Tags& tags, unsigned turn) {
    if (index_ < 0) return;
    const MPI_Comm comm = tags.comm == MPI_COMM_NULL ? MPI_COMM_SELF : tags.comm;
    const std::vector<int> world = world_ranks(comm, plan.steps);
    ready_.assign(plan.steps.size(), {ticks.now(), turn});
    const bool has_room =
        trace().describe(index_, {.operation = operation_,
                                  .solver = plan.solver,
                                  .name = base::hash_of(tags.plan, world.back(), tags.first),
                                  .messages = plan.slots > 0 ? messages_of(plan) : 0,
                                  .own_steps = plan.steps_of(0).size(),
                                  .steps = traced(plan, world)});
    if (!has_room) ready_.clear();
}

void PlanTrace::reserve(const plan::StepRange& steps, std::size_t partitions) {
    const auto count = ready_.empty() ? 0 : static_cast<std::size_t>(steps.end - steps.begin);
    if (index_ < 0 || count > Places::most_steps) return;
    if (first_step_ != steps.begin) first_step_ = steps.begin;
    places_.store(Places(trace().reserve(2 + count + partitions), count),
                  std::memory_order_relaxed);
}

void PlanTrace::start(std::size_t first, std::size_t steps, unsigned turn) {
    const std::int64_t now = ticks.now();
    trace().latest = now;
    latest_ = {now, turn};
    if (index_ >= 0) {
        const Places own = places();
        put(own.is_none() ? trace().reserve(1) : own.start(), Trace::Kind::start, now);
    }
    if (!ready_.empty())
        std::fill_n(ready_.begin() + static_cast<std::ptrdiff_t>(first), steps, Ready{now, turn});
}

void PlanTrace::complete(unsigned turn, bool only_by_steps) {
    if (index_ < 0) return;
    const bool is_behind_step = only_by_steps && latest_.turn == turn;
    const std::int64_t now = is_behind_step ? latest_.time : ticks.now();
    const Places own = places();
    places_.store({}, std::memory_order_relaxed);
    put(own.is_none() ? trace().reserve(1) : own.completion(), Trace::Kind::complete, now);
}

void PlanTrace::ready(std::span<const StepId> steps, unsigned turn) {
    const std::int64_t now = ticks.now();
    for (const StepId id : steps) set_ready(id, {now, turn});
}

void PlanTrace::begun(StepId id, unsigned turn) {
    if (ready_.empty()) return;
    Ready& since = ready_[static_cast<std::size_t>(id)];
    // Of an earlier turn: what is done from now on does not move its begin.
    if (since.turn == turn) since = {std::max(since.time, trace().latest), turn - 1};
    since.is_begun = true;
}

void PlanTrace::done(StepId id, std::span<const StepId> next, unsigned turn, Action action) {
    if (ready_.empty()) return trace().drop();
    const std::int64_t now = action == Action::arrive ? trace().latest
                             : action == Action::send ? ticks.now()
                                                      : ticks.now_behind_loads();
    const Ready& since = ready_[static_cast<std::size_t>(id)];
    const std::int64_t begin =
        since.turn == turn ? std::max(since.time, trace().latest) : since.time;
    trace().put(place_of_step(id), Trace::Kind::step, index_, id, begin, now);
    trace().latest = now;
    latest_ = {now, turn};
    for (const StepId after : next) set_ready(after, {now, turn});
}

std::int64_t PlanTrace::sent(StepId id, std::int64_t begin) const {
    const std::int64_t now = ticks.now();
    if (ready_.empty())
        trace().drop();
    else
        trace().put(place_of_step(id), Trace::Kind::step, index_, id, begin, now);
    return now;
}

} // namespace mpix::progress
