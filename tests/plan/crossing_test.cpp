// SPDX-License-Identifier: BSD-3-Clause
//
// What plans send from node to node: 16 nodes of 16 ranks, whichever way the ranks are placed.
#include "cases.hpp"
#include "nodes_of.hpp"
#include "plan/planner.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <map>

using namespace mpix::plan;

namespace {

constexpr int nodes = 16, mates = 16;

Model slow_network() {
    Model model;
    model.latency_us = 16;
    model.overhead_us = 4;
    model.per_byte_us = 1.0 / 2500;
    return model;
}

struct Crossing {
    int messages = 0; // of a pair of nodes, at most
    Bytes bytes = 0;  // of all
};

// Of what the planner chooses.
Crossing crossing(Kind kind, int count, bool is_cyclic) {
    const Model model = slow_network();
    const auto node_of = [&](int rank) { return is_cyclic ? rank % nodes : rank / mates; };
    test::Case it = test::make(kind, {.ranks = nodes * mates, .root = 17, .count = count});
    Crossing found;
    std::map<std::pair<int, int>, int> messages;
    for (Problem& problem : it.problems) {
        Shape& shape = problem.shape;
        shape.one_node = false;
        shape.nodes = test::nodes_of(shape.ranks, node_of);
        const Solver* const chosen = choose(shape, model, [](const Solver&) { return true; });
        for (const Step& step : build(*chosen, problem, model).steps) {
            const std::pair pair{node_of(problem.rank), node_of(step.peer)};
            if (step.action != Action::send || pair.first == pair.second) continue;
            found.messages = std::max(found.messages, ++messages[pair]);
            found.bytes += step.bytes;
        }
    }
    return found;
}

} // namespace

TEST_CASE("one message goes from node to node, for each lane and phase") {
    const struct {
        Kind kind;
        int messages;
    } rows[] = {
        {Kind::barrier, 1},
        {Kind::bcast, 1},
        {Kind::gather, 1},
        {Kind::scatter, 1},
        {Kind::reduce, 2},
        {Kind::allgather, 1},
        {Kind::alltoall, 1},
        {Kind::scan, 2},
        {Kind::exscan, 2},
        {Kind::allreduce, 2 * mates},
        {Kind::reduce_scatter, mates},
    };
    for (const auto& row : rows)
        for (const int count : {1, 64, 1024, 8192}) {
            if (row.kind == Kind::reduce_scatter && count == 8192) continue; // 16 MiB, by a ring
            INFO(name(row.kind) << " of " << count);
            CHECK(crossing(row.kind, count, false).messages <= row.messages);
        }
}

// Not so of scans: the ranks before one are whole nodes only where those follow each other.
TEST_CASE("ranks placed by turns send no more from node to node than ranks placed in blocks") {
    for (const Kind kind : {Kind::barrier, Kind::bcast, Kind::gather, Kind::scatter, Kind::reduce,
                            Kind::allgather, Kind::alltoall, Kind::allreduce, Kind::reduce_scatter})
        for (const int count : {1, 64, 1024}) {
            INFO(name(kind) << " of " << count);
            const Crossing blocks = crossing(kind, count, false),
                           turns = crossing(kind, count, true);
            CHECK(turns.messages == blocks.messages);
            CHECK(turns.bytes == blocks.bytes);
        }
}
