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

const Solver& solver_named(std::string_view name) {
    return **std::ranges::find_if(catalogue(),
                                  [&](const Solver* one) { return one->name == name; });
}

Plan made(Kind kind, std::string_view solver, int ranks, bool staged) {
    const test::Case it = test::make(kind, {.ranks = ranks, .count = 24, .staged = staged});
    return build(solver_named(solver), it.problems[0], Model{});
}

} // namespace

TEST_CASE("an exchange sends and receives from several, and no message waits for one") {
    struct {
        Kind kind;
        const char *first, *second;
    } pairs[] = {{Kind::allreduce, "allreduce_recursive_doubling", "allreduce_ring"},
                 {Kind::alltoall, "alltoall_bruck", "alltoall_linear"},
                 {Kind::allgather, "allgather_ring", "allgather_bruck"},
                 {Kind::bcast, "bcast_chain", "bcast_scatter_allgather"}};
    for (const auto& [kind, first, second] : pairs)
        for (const int ranks : {1, 2, 3, 4, 7})
            for (const bool staged : {false, true}) {
                Plan whole = made(kind, first, ranks, staged);
                add_rival(whole, made(kind, second, ranks, staged));
                add_rival(whole, delegated());
                for (std::size_t way = 0; way < whole.ways(); ++way)
                    CHECK(is_exchange(whole, way) == exchanges(whole, way));
            }
}

TEST_CASE(
    "what everybody sends to everybody is an exchange, what goes on from rank to rank is not") {
    for (const bool staged : {false, true}) {
        CHECK(is_exchange(made(Kind::alltoall, "alltoall_linear", 4, staged), 0));
        CHECK_FALSE(is_exchange(made(Kind::alltoall, "alltoall_linear", 1, staged), 0));
        CHECK_FALSE(is_exchange(made(Kind::allgather, "allgather_ring", 4, staged), 0));
        CHECK_FALSE(is_exchange(made(Kind::bcast, "bcast_chain", 4, staged), 0));
    }
    CHECK_FALSE(is_exchange(made(Kind::alltoall, "alltoall_linear", 2, false), 0));
    CHECK_FALSE(is_exchange(delegated(), 0));
}
