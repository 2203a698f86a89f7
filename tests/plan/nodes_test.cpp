// SPDX-License-Identifier: BSD-3-Clause
//
// Which ranks are on which node, in every form in which that is kept.
#include "catch2.hpp"
#include "nodes_of.hpp"
#include "plan/planner.hpp"

#include <functional>

using namespace mpix::plan;

namespace {

constexpr int million = 1 << 20;

using NodeOf = std::function<int(int)>;

// Against what the list says.
void check(int ranks, const NodeOf& node_of) {
    const Nodes nodes = test::nodes_of(ranks, node_of);
    std::vector<std::vector<int>> all;
    bool is_in_order = true;
    for (int rank = 0; rank < ranks; ++rank) {
        const auto node = static_cast<std::size_t>(node_of(rank));
        if (all.size() <= node) all.resize(node + 1);
        all[node].push_back(rank);
        is_in_order = is_in_order && (rank == 0 || node_of(rank - 1) <= node_of(rank));
        CHECK(nodes.of(rank) == node_of(rank));
    }
    CHECK(nodes.are_in_order() == is_in_order);
    REQUIRE(nodes.count() == static_cast<int>(all.size()));
    std::size_t largest = 0, smallest = all[0].size();
    for (int node = 0; node < nodes.count(); ++node) {
        const std::vector<int>& ranks_of_node = all[static_cast<std::size_t>(node)];
        CHECK(nodes.size(node) == static_cast<int>(ranks_of_node.size()));
        CHECK(nodes.ranks(node) == ranks_of_node);
        largest = std::max(largest, ranks_of_node.size());
        smallest = std::min(smallest, ranks_of_node.size());
    }
    CHECK(nodes.largest() == static_cast<int>(largest));
    CHECK(nodes.smallest() == static_cast<int>(smallest));
}

std::size_t kept(const NodeOf& node_of) { return test::nodes_of(million, node_of).bytes(); }

// What a rank in the middle plans, and how many steps it has.
std::size_t steps_of_a_million(Kind kind, const Nodes& nodes) {
    Problem problem;
    problem.shape = {
        .kind = kind, .ranks = million, .nodes = nodes, .grain = 8, .total = 64, .largest = 64};
    problem.rank = million / 2 + 1;
    problem.send = {{Buffer::send, 0, 64}};
    problem.recv = {{Buffer::recv, 0, 64}};
    const Model model;
    const Solver* const chosen = choose(problem.shape, model, [](const Solver&) { return true; });
    return build(*chosen, problem, model).steps.size();
}

} // namespace

TEST_CASE("nodes are told alike in every form that they are kept in") {
    for (const int ranks : {1, 2, 3, 4, 7, 12, 13, 33}) {
        check(ranks, [](int rank) { return rank / 4; });
        check(ranks, [](int rank) { return rank % 3; });
        check(ranks, [](int) { return 0; });
        check(ranks, [](int rank) { return rank; });
        check(ranks, [](int rank) { return rank < 2 ? 0 : 1 + (rank - 2) / 5; }); // uneven blocks
        check(ranks, [](int rank) { return (rank / 2) % 3; });                    // pairs in turn
        check(ranks, [](int rank) { return rank * rank % 7 == 1 ? rank > 1 : 0; });
    }
}

TEST_CASE("nodes of a million ranks take no memory where they are regular") {
    CHECK(kept([](int rank) { return rank / 64; }) < 256);
    CHECK(kept([](int rank) { return rank % (million / 64); }) < 256);
    // One node of fewer ranks than the others: where each begins.
    CHECK(kept([](int rank) { return rank < 63 ? 0 : 1 + (rank - 63) / 64; }) < 68 << 10);
}

TEST_CASE("short plans stay short for a million ranks") {
    for (const bool is_dealt : {false, true}) {
        const Nodes nodes = test::nodes_of(
            million, [&](int rank) { return is_dealt ? rank % (million / 64) : rank / 64; });
        for (const Kind kind :
             {Kind::barrier, Kind::bcast, Kind::reduce, Kind::allreduce, Kind::scan, Kind::exscan})
            CHECK(steps_of_a_million(kind, nodes) < 200);
    }
}
