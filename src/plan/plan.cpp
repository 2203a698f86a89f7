// SPDX-License-Identifier: BSD-3-Clause
//
// What is asked of kinds and plans, and how they are written as text, for people.
#include "plan/plan.hpp"

#include <algorithm>
#include <cstdio>
#include <iterator>

namespace mpix::plan {

std::string_view name(Kind kind) {
    constexpr std::string_view names[] = {
        "barrier",   "bcast",          "gather", "scatter", "allgather", "alltoall",    "reduce",
        "allreduce", "reduce_scatter", "scan",   "exscan",  "neighbor",  "group_reduce"};
    return names[static_cast<std::size_t>(kind)];
}

bool is_mutual(Kind kind) {
    constexpr Kind one_way[] = {Kind::bcast,  Kind::gather, Kind::scatter,
                                Kind::reduce, Kind::scan,   Kind::exscan};
    return std::ranges::find(one_way, kind) == std::end(one_way);
}

bool converges(Kind kind) { return kind == Kind::gather || kind == Kind::reduce; }

std::string_view name(Action action) {
    constexpr std::string_view names[] = {"send",   "recv",     "copy",   "reduce", "combine",
                                          "arrive", "delegate", "member", "call"};
    return names[static_cast<std::size_t>(action)];
}

std::string_view name(Buffer buffer) {
    constexpr std::string_view names[] = {"send",       "recv",       "scratch",
                                          "send block", "recv block", "nothing"};
    return names[static_cast<std::size_t>(buffer)];
}

Bytes longest_awaited(const Plan& plan, std::size_t way) {
    Bytes longest = 0;
    for (const Step& step : plan.steps_of(way))
        if (receives(step.action)) longest = std::max(longest, step.bytes);
    return longest;
}

std::string_view told(std::string_view solver) {
    return solver == name(Action::delegate) ? "the host" : solver;
}

namespace {

std::string place(const Span& span) {
    const char joint = is_blocks(span.buffer) ? ' ' : '+';
    return std::string(name(span.buffer)) + joint + std::to_string(span.offset);
}

std::string what(const Step& step) {
    switch (step.action) {
    case Action::send: return place(step.from) + " to rank " + std::to_string(step.peer);
    case Action::recv: return place(step.to) + " from rank " + std::to_string(step.peer);
    case Action::copy:
        if (step.copies > 0)
            return std::to_string(std::max(step.copies, step.repeats)) + " copies from " +
                   place(step.from) + " on to " + place(step.to);
        return place(step.from) + " to " + place(step.to);
    case Action::reduce: return place(step.from) + " into " + place(step.to);
    case Action::combine:
        return "rank " + std::to_string(step.peer) + " with " + place(step.from) + " into " +
               place(step.to);
    case Action::arrive:
        return std::to_string(step.arrivals) + " from partition " + std::to_string(step.number) +
               ", " + place(step.to);
    case Action::member: return "number " + std::to_string(step.number);
    case Action::call: return "the program";
    case Action::delegate: break;
    }
    return "to the host";
}

std::string line(const Plan& plan, std::size_t id) {
    const Step& step = plan.steps[id];
    char text[160];
    std::snprintf(text, sizeof text, "  %3zu  %-8s %-36s %10lld B  needs %d", id,
                  std::string(name(step.action)).c_str(), what(step).c_str(),
                  static_cast<long long>(step.bytes), step.needs);
    std::string out = text;
    const char* joint = "  then ";
    for (const StepId next : plan.after(step)) {
        out += joint + std::to_string(next);
        joint = " ";
    }
    return out + '\n';
}

} // namespace

std::string to_text(const Plan& plan, const Problem& problem, const std::string& transport) {
    const Shape& shape = problem.shape;
    const std::string how = transport.empty() ? "" : ", " + transport;
    char head[320];
    std::string raced;
    for (const Rival& rival : plan.rivals)
        raced += (raced.empty() ? "; raced with " : " and ") + std::string(told(rival.solver));
    std::snprintf(head, sizeof head,
                  "%s of %lld B, rank %d of %d: %s%s, %zu steps, %lld B scratch, "
                  "%.1f us expected%s\n",
                  std::string(name(shape.kind)).c_str(), static_cast<long long>(shape.total),
                  problem.rank, shape.ranks, std::string(plan.solver).c_str(), how.c_str(),
                  static_cast<std::size_t>(plan.range(0).end), static_cast<long long>(plan.scratch),
                  plan.expected_us, raced.c_str());
    std::string out = head;
    for (std::size_t id = 0; id < plan.steps.size(); ++id) out += line(plan, id);
    return out;
}

} // namespace mpix::plan
