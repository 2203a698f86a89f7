// SPDX-License-Identifier: BSD-3-Clause
//
// A plan knows whether its messages go both ways, come from several, and none waits for another.
// The oracle walks along all that a step leads to.
#include "cases.hpp"
#include "catch2.hpp"
#include "plan/planner.hpp"

#include <algorithm>
#include <set>
#include <string_view>

using namespace mpix::plan;

namespace {

bool is_message(const Step& step) { return step.peer >= 0; }

bool leads_to_message(const Plan& plan, StepId id) {
    return std::ranges::any_of(plan.after(plan.steps[static_cast<std::size_t>(id)]),
                               [&](StepId next) {
                                   return is_message(plan.steps[static_cast<std::size_t>(next)]) ||
                                          leads_to_message(plan, next);
                               });
}

bool exchanges(const Plan& plan, std::size_t way) {
    int sends = 0;
    std::set<int> sources;
    for (StepId id = plan.range(way).begin; id < plan.range(way).end; ++id) {
        const Step& step = plan.steps[static_cast<std::size_t>(id)];
        if (!is_message(step)) continue;
        if (step.action == Action::send)
            ++sends;
        else
            sources.insert(step.peer);
        if (step.action != Action::send && leads_to_message(plan, id)) return false;
    }
    return sends > 0 && sources.size() > 1;
}

Plan made(std::string_view name, int ranks, bool staged) {
    const Solver& solver = *find_solver(name);
    const test::Case it = test::make(solver.kind, {.ranks = ranks, .count = 24, .staged = staged});
    return build(solver, it.problems[0], Model{});
}

} // namespace

TEST_CASE("an exchange sends and receives from several, and no message waits for one") {
    for (const char* const name :
         {"allreduce_recursive_doubling", "allreduce_ring", "alltoall_bruck", "alltoall_linear",
          "allgather_ring", "allgather_bruck", "bcast_chain", "bcast_scatter_allgather"})
        for (const int ranks : {1, 2, 3, 4, 7})
            for (const bool staged : {false, true}) {
                Plan whole = made("alltoall_linear", 5, staged);
                add_rival(whole, made(name, ranks, staged));
                CHECK(is_exchange(whole, 0));
                CHECK(is_exchange(whole, 1) == exchanges(whole, 1));
            }
}

TEST_CASE(
    "what everybody sends to everybody is an exchange, what goes on from rank to rank is not") {
    for (const bool staged : {false, true}) {
        CHECK(is_exchange(made("alltoall_linear", 4, staged), 0));
        CHECK_FALSE(is_exchange(made("alltoall_linear", 1, staged), 0));
        CHECK_FALSE(is_exchange(made("allgather_ring", 4, staged), 0));
        CHECK_FALSE(is_exchange(made("bcast_chain", 4, staged), 0));
    }
    CHECK_FALSE(is_exchange(made("alltoall_linear", 2, false), 0));
    CHECK_FALSE(is_exchange(delegated(), 0));
}
