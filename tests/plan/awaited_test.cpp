// SPDX-License-Identifier: BSD-3-Clause
//
// What a plan knows of the messages that its ranks wait for: the longest, and whether who sends
// them waits too.
#include "cases.hpp"
#include "catch2.hpp"
#include "plan/planner.hpp"
#include "plan/rivals.hpp"

#include <string_view>

using namespace mpix::plan;

namespace {

Plan made(std::string_view name, int ranks, int rank) {
    const Solver& solver = *find_solver(name);
    const test::Case it = test::make(solver.kind, {.ranks = ranks, .count = 24});
    return build(solver, it.problems[static_cast<std::size_t>(rank)], Model{});
}

} // namespace

TEST_CASE("of a ring the longest that is awaited is a block, of recursive doubling half of all") {
    const Bytes block = longest_awaited(made("allgather_ring", 8, 3), 0);
    CHECK(block > 0);
    CHECK(longest_awaited(made("allgather_recursive_doubling", 8, 3), 0) == 4 * block);
    CHECK(longest_awaited(made("alltoall_linear", 8, 3), 0) == block);
}

TEST_CASE("who receives nothing awaits nothing") {
    CHECK(longest_awaited(made("bcast_binomial", 5, 0), 0) == 0);
    CHECK(longest_awaited(made("bcast_binomial", 5, 4), 0) > 0);
    CHECK(longest_awaited(made("alltoall_linear", 1, 0), 0) == 0);
    CHECK(longest_awaited(delegated(Kind::alltoall), 0) == 0);
}

TEST_CASE("each way has its own longest") {
    Plan plan = made("allgather_ring", 8, 0);
    const Bytes block = longest_awaited(plan, 0);
    add_rival(plan, made("allgather_recursive_doubling", 8, 0));
    CHECK(longest_awaited(plan, 0) == block);
    CHECK(longest_awaited(plan, 1) == 4 * block);
}

TEST_CASE("ranks wait for each other but where who sends is ahead") {
    CHECK(made("barrier_dissemination", 4, 0).is_mutual);
    CHECK(made("allreduce_recursive_doubling", 4, 0).is_mutual);
    CHECK(made("alltoall_linear", 4, 0).is_mutual);
    CHECK(delegated(Kind::alltoall).is_mutual);
    CHECK_FALSE(delegated(Kind::bcast).is_mutual);
    CHECK_FALSE(made("gather_linear", 4, 0).is_mutual);
    CHECK_FALSE(made("reduce_binomial", 4, 0).is_mutual);
    CHECK_FALSE(made("bcast_binomial", 4, 1).is_mutual);
    CHECK_FALSE(made("scatter_linear", 4, 1).is_mutual);
    CHECK_FALSE(made("scan_chain", 4, 1).is_mutual);
    CHECK_FALSE(made("exscan_chain", 4, 1).is_mutual);
}
