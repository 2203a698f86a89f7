// SPDX-License-Identifier: BSD-3-Clause
//
// Parallel aggregated trees: how long their messages are and how far they go, and that the data are
// right however many trees share a message.
#include "cases.hpp"
#include "catch2.hpp"
#include "plan/planner.hpp"

#include <algorithm>
#include <map>

using namespace mpix::plan;

namespace {

constexpr std::string_view names[] = {"allgather_pat", "reduce_scatter_pat"};

Problem alike(Kind kind, int ranks, Bytes bytes) {
    const auto n = static_cast<std::size_t>(ranks);
    const bool gathers = kind == Kind::allgather;
    Problem problem;
    problem.shape = {.kind = kind, .ranks = ranks, .total = ranks * bytes, .largest = bytes};
    problem.rank = ranks / 2;
    problem.sizes = Sizes::regular(bytes, 0, n);
    problem.send = Blocks::regular({Buffer::send, 0, bytes}, bytes, gathers ? 1 : n);
    problem.recv = Blocks::regular({Buffer::recv, 0, bytes}, bytes, gathers ? n : 1);
    return problem;
}

// What goes so far round the ring.
std::map<int, Bytes> bytes_by_distance(const Plan& plan, const Problem& problem, int direction) {
    const int n = problem.shape.ranks;
    std::map<int, Bytes> found;
    for (const Step& step : plan.steps)
        if (step.action == Action::send)
            found[(n + direction * (step.peer - problem.rank)) % n] += step.bytes;
    return found;
}

} // namespace

TEST_CASE("a message of parallel trees is of one block, or needs no asking") {
    const Model model;
    for (const auto name : names)
        for (const int ranks : {2, 7, 48, 64, 1000})
            for (const Bytes bytes : {8, 256, 4096, 1 << 17}) {
                const Solver& solver = *find_solver(name);
                const Problem problem = alike(solver.kind, ranks, bytes);
                for (const Step& step : build(solver, problem, model).steps)
                    if (step.action == Action::send)
                        CHECK((step.bytes == bytes ||
                               static_cast<double>(step.bytes) < model.eager_bytes));
            }
}

TEST_CASE("of parallel trees the far edges carry least, and all edges each block once") {
    for (const auto name : names)
        for (const int ranks : {7, 48, 64, 1000}) {
            const Solver& solver = *find_solver(name);
            const Problem problem = alike(solver.kind, ranks, 256);
            const int direction = solver.kind == Kind::allgather ? 1 : -1;
            Bytes all = 0;
            for (const auto& [distance, bytes] :
                 bytes_by_distance(build(solver, problem, Model{}), problem, direction)) {
                CHECK(bytes <= (ranks + distance) / (2 * distance) * 256);
                all += bytes;
            }
            CHECK(all == (ranks - 1) * 256);
        }
}

TEST_CASE("data are right however many parallel trees share a message") {
    std::uint64_t seed = 0;
    for (const auto name : names)
        for (const int ranks : {2, 3, 7, 12, 16, 33})
            for (const int most : {1, 2, 4, 8})
                for (const bool is_regular : {true, false}) {
                    const Solver& solver = *find_solver(name);
                    test::Case it = test::make(solver.kind,
                                               {.ranks = ranks, .count = 5, .regular = is_regular});
                    Model model;
                    model.overhead_us = 100; // as many as may be
                    model.eager_bytes =
                        static_cast<double>(most * it.problems[0].shape.largest + 1);
                    for (const Problem& problem : it.problems)
                        it.program.plans.push_back(build(solver, problem, model));
                    it.program.rounds = 3;
                    INFO(name << ", " << ranks << " ranks, " << most << " trees a message");
                    CHECK(Simulator(it.program, ++seed).run() == "");
                }
}
