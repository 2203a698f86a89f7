// SPDX-License-Identifier: BSD-3-Clause
//
// Partitioned plans in random orders: every partition arrives with its data, as soon as those it
// has to wait for are ready, and no later.
#include "catch2.hpp"
#include "nodes_of.hpp"
#include "partitioned_cases.hpp"
#include "plan/planner.hpp"

#include <map>

using namespace mpix::plan;

namespace {

constexpr int many_ranks[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 13, 16, 17, 33};

// In half of the runs one partition is held back. With few tags any may wait for any.
bool passes(const test::PartitionedCase& it, const test::Parted& parted, std::uint64_t seed) {
    test::Dice dice(seed);
    const std::vector<test::Mark> marks = it.marks();
    test::Held held;
    if (!marks.empty() && !parted.shares_tags && dice.coin())
        held = {
            marks[static_cast<std::size_t>(dice.below(static_cast<std::int64_t>(marks.size())))]};
    INFO(test::describe(parted) << "; run " << seed
                                << ", held back: " << (held.empty() ? -1 : held[0].rank) << ", "
                                << (held.empty() ? -1 : held[0].partition));
    const std::string wrong = Simulator(it.program(held), seed).run();
    CHECK(wrong == "");
    return wrong.empty();
}

void prove(Kind kind, int ranks) {
    const int cases = ranks <= 4 ? 60 : ranks <= 9 ? 24 : ranks <= 17 ? 6 : 2;
    const std::uint64_t runs = ranks <= 4 ? 8 : ranks <= 9 ? 4 : 1;
    for (int i = 0; i < cases; ++i) {
        const test::Parted parted = test::some_parted(kind, ranks, static_cast<std::uint64_t>(i));
        const test::PartitionedCase it = test::make(parted);
        for (std::uint64_t seed = 0; seed < runs; ++seed)
            if (!passes(it, parted, seed)) return;
    }
}

void prove(std::initializer_list<Kind> kinds) {
    for (const Kind kind : kinds)
        for (const int ranks : many_ranks) prove(kind, ranks);
}

// Shapes of one piece, on one node, on several, or none known.
std::vector<Shape> pieces(Kind kind, int ranks) {
    std::vector<Shape> shapes;
    for (const Bytes bytes : {8, 1 << 10, 1 << 16, 1 << 26})
        for (const int ranks_of_node : {0, 1, 2, 3, 8})
            for (const bool commutative : {true, false}) {
                Shape shape{.kind = kind, .ranks = ranks, .root = ranks / 2, .nodes = {}};
                shape.commutative = commutative;
                shape.one_node = ranks_of_node == 0;
                shape.grain = 8;
                shape.total = shape.largest = bytes;
                shape.is_piece = true;
                if (ranks_of_node > 1)
                    shape.nodes = test::nodes_of(ranks, [&](int r) { return r / ranks_of_node; });
                shapes.push_back(shape);
            }
    return shapes;
}

Plan plan_of(const Solver& solver, const Shape& shape, int rank) {
    Problem problem;
    problem.shape = shape;
    problem.rank = rank;
    problem.send = {{Buffer::send, 0, shape.total}};
    if (shape.kind != Kind::reduce || rank == shape.root)
        problem.recv = {{Buffer::recv, 0, shape.total}};
    return build(solver, problem, Model{});
}

std::int64_t most_messages(const Plan& plan) {
    std::map<std::pair<int, bool>, std::int64_t> with;
    std::int64_t most = 0;
    for (const Step& step : plan.steps)
        if (step.action == Action::send || receives(step.action))
            most = std::max(most, ++with[{step.peer, receives(step.action)}]);
    return most;
}

constexpr Kind reductions[] = {Kind::reduce, Kind::allreduce, Kind::scan, Kind::exscan};

} // namespace

TEST_CASE("partitions go from one to all, and nothing waits in vain") {
    prove({Kind::bcast, Kind::scatter, Kind::allgather});
}

TEST_CASE("partitions go from all to one, and nothing waits in vain") {
    prove({Kind::gather, Kind::alltoall});
}

TEST_CASE("partitions go along edges, and nothing waits in vain") { prove({Kind::neighbor}); }

TEST_CASE("partitions are combined, and nothing waits in vain") {
    prove({Kind::reduce, Kind::allreduce, Kind::reduce_scatter, Kind::scan, Kind::exscan});
}

TEST_CASE("a piece of a reduction takes few messages, whichever solver it is") {
    for (const Solver* solver : catalogue())
        for (const int ranks : {1, 2, 3, 4, 5, 7, 8, 12, 17, 33})
            for (const Shape& shape : pieces(solver->kind, ranks)) {
                if (std::ranges::find(reductions, solver->kind) == std::end(reductions)) continue;
                if (!solver->applicable(shape)) continue;
                INFO(solver->name << ": " << shape.total << " bytes, " << ranks << " ranks");
                std::int64_t most = 0;
                for (int rank = 0; rank < ranks; ++rank)
                    most = std::max(most, most_messages(plan_of(*solver, shape, rank)));
                CHECK(most <= messages_of_piece);
            }
}

TEST_CASE("every reduction has a solver for its pieces") {
    for (const Kind kind : reductions)
        for (const Shape& shape : pieces(kind, 5))
            CHECK(choose(shape, Model{}, [](const Solver&) { return true; }));
}
