// SPDX-License-Identifier: BSD-3-Clause
//
// A plan says as text what it will do.
#include "cases.hpp"
#include "catch2.hpp"
#include "plan/planner.hpp"

#include <algorithm>
#include <iterator>

using namespace mpix::plan;

TEST_CASE("a plan's text names the operation, the solver and every step") {
    const test::Case it = test::make(Kind::allreduce, {.ranks = 3, .count = 2});
    const Problem& problem = it.problems[2];
    const Solver* solver = nullptr;
    for (const Solver* one : catalogue())
        if (one->name == "allreduce_recursive_doubling") solver = one;
    const Plan plan = build(*solver, problem, Model{});
    const std::string text = to_text(plan, problem);
    CHECK(text.starts_with("allreduce of 16 B, rank 2 of 3: allreduce_recursive_doubling, "));
    CHECK(std::count(text.begin(), text.end(), '\n') == 1 + std::ssize(plan.steps));
    CHECK(text.find("send     send+0 to rank 1") != std::string::npos);
    CHECK(text.find("combine  rank 1 with send+0 into recv+0") != std::string::npos);
}
