// SPDX-License-Identifier: BSD-3-Clause
//
// What partitioned operations send from node to node, message by message: where all want it once to
// each node, by all of its ranks in turn.
#include "plan/relays.hpp"

#include "catch2.hpp"
#include "nodes_of.hpp"
#include "partitioned_cases.hpp"

#include <algorithm>
#include <map>

using namespace mpix::plan;

namespace {

constexpr Bytes message = 1024;

// Four nodes of four ranks each, in order or dealt in turn.
Shape sixteen(Kind kind, bool is_cyclic) {
    Shape shape{.kind = kind, .ranks = 16, .root = 5, .nodes = {}};
    shape.nodes = test::nodes_of(16, [&](int r) { return is_cyclic ? r % 4 : r / 4; });
    shape.grain = 8;
    return shape;
}

Segment segment(Buffer buffer, int block, int messages, std::vector<int> peers) {
    Segment made{.peers = std::move(peers), .partitions = {}};
    for (int i = 0; i < messages; ++i) {
        made.partitions.push_back({buffer, (block * messages + i) * message, message});
        made.cuts.push_back(i * message);
    }
    return made;
}

std::vector<int> all_but(int ranks, int self) {
    std::vector<int> others;
    for (int r = 0; r < ranks; ++r)
        if (r != self) others.push_back(r);
    return others;
}

Partitioned moved(Shape shape, int rank, int messages) {
    Partitioned problem;
    shape.total = shape.largest = messages * message;
    problem.whole.shape = shape;
    problem.whole.rank = rank;
    problem.tags = 1000;
    const bool is_bcast = shape.kind == Kind::bcast;
    if (!is_bcast || rank == shape.root)
        problem.send.push_back(segment(Buffer::send, 0, messages, all_but(shape.ranks, rank)));
    for (int from = 0; from < shape.ranks; ++from)
        if (is_bcast ? from == shape.root && rank != from : true)
            problem.recv.push_back(segment(Buffer::recv, is_bcast ? 0 : from, messages,
                                           from == rank ? std::vector<int>{} : std::vector{from}));
    return problem;
}

Partitioned combined(Shape shape, int rank, int pieces) {
    Partitioned problem;
    shape.total = shape.largest = message;
    problem.whole.shape = shape;
    problem.whole.rank = rank;
    problem.tags = 1000;
    problem.send.push_back(segment(Buffer::send, 0, pieces, {}));
    const bool receives = shape.kind != Kind::reduce || rank == shape.root;
    if (receives) problem.recv.push_back(segment(Buffer::recv, 0, pieces, {}));
    for (int i = 0; i < pieces; ++i) {
        Problem& piece = problem.pieces.emplace_back(problem.whole);
        piece.send = {{Buffer::send, i * message, message}};
        if (receives) piece.recv = {{Buffer::recv, i * message, message}};
    }
    return problem;
}

using Make = Partitioned (*)(Shape shape, int rank, int parts);

std::vector<Plan> plans(Make make, const Shape& shape, int parts) {
    std::vector<Plan> all;
    for (int rank = 0; rank < shape.ranks; ++rank)
        all.push_back(build(make(shape, rank, parts), Model{}));
    return all;
}

// By the nodes, or the ranks, that they go from and to.
using Counts = std::map<std::pair<int, int>, std::int64_t>;

Counts crossing(const std::vector<Plan>& plans, const Nodes& nodes) {
    Counts counts;
    for (std::size_t rank = 0; rank < plans.size(); ++rank)
        for (const Step& step : plans[rank].steps) {
            const int from = nodes.of(static_cast<int>(rank));
            if (step.action != Action::send || nodes.of(step.peer) == from) continue;
            ++counts[{from, nodes.of(step.peer)}];
        }
    return counts;
}

std::int64_t most(const Counts& counts) {
    std::int64_t found = 0;
    for (const auto& [pair, count] : counts) found = std::max(found, count);
    return found;
}

std::int64_t sum(const Counts& counts) {
    std::int64_t found = 0;
    for (const auto& [pair, count] : counts) found += count;
    return found;
}

Shape flat(Shape shape) {
    shape.nodes = {};
    return shape;
}

} // namespace

TEST_CASE("each message of a partitioned broadcast crosses once to each node") {
    for (const bool is_cyclic : {false, true}) {
        const Shape shape = sixteen(Kind::bcast, is_cyclic);
        const Counts direct = crossing(plans(moved, flat(shape), 8), shape.nodes);
        const Counts relayed = crossing(plans(moved, shape, 8), shape.nodes);
        CHECK(sum(direct) == 8 * 12);
        CHECK(sum(relayed) == 8 * 3);
        CHECK(most(relayed) == 8);
    }
}

TEST_CASE("each message of a partitioned allgather crosses once to each node") {
    for (const bool is_cyclic : {false, true}) {
        const Shape shape = sixteen(Kind::allgather, is_cyclic);
        const Counts direct = crossing(plans(moved, flat(shape), 2), shape.nodes);
        const Counts relayed = crossing(plans(moved, shape, 2), shape.nodes);
        CHECK(most(direct) == 2 * 4 * 4);
        CHECK(most(relayed) == 2 * 4);
        CHECK(sum(direct) == 4 * sum(relayed));
    }
}

TEST_CASE("the ranks of a node pass on as much as each other, and receive each message once") {
    for (const Kind kind : {Kind::bcast, Kind::allgather})
        for (const bool is_cyclic : {false, true}) {
            const Shape shape = sixteen(kind, is_cyclic);
            const auto all = plans(moved, shape, 4);
            for (std::size_t rank = 0; rank < all.size(); ++rank) {
                const int node = shape.nodes.of(static_cast<int>(rank));
                const bool is_away = kind == Kind::allgather || node != shape.nodes.of(shape.root);
                std::int64_t crossed = 0, received = 0;
                for (const Step& step : all[rank].steps) {
                    received += step.action == Action::recv;
                    crossed += step.action == Action::recv && shape.nodes.of(step.peer) != node;
                }
                INFO("rank " << rank);
                if (is_away) CHECK(crossed == (kind == Kind::bcast ? 4 : 4 * 12) / 4);
                if (static_cast<int>(rank) != shape.root || kind == Kind::allgather)
                    CHECK(received == (kind == Kind::bcast ? 4 : 4 * 15));
            }
        }
}

TEST_CASE("between two ranks there are no more messages than there are tags for") {
    for (const Kind kind : {Kind::bcast, Kind::allgather})
        for (const int size : {1, 2, 3, 5, 16})
            for (const int messages : {1, 3, 8}) {
                Shape shape = sixteen(kind, false);
                shape.nodes = test::nodes_of(16, [&](int r) { return r / size; });
                const auto all = plans(moved, shape, messages);
                Counts between;
                for (std::size_t rank = 0; rank < all.size(); ++rank)
                    for (const Step& step : all[rank].steps)
                        if (step.action == Action::send)
                            ++between[{static_cast<int>(rank), step.peer}];
                CHECK(most(between) <= messages_with_relays(shape.nodes, kind, messages));
            }
}

TEST_CASE("nothing is passed on where that costs more, or where all share memory") {
    Shape shape = sixteen(Kind::bcast, false);
    shape.largest = message;
    CHECK(has_relays(shape, Model{}));
    Model slow_within;
    slow_within.node_latency_us = 1000;
    CHECK_FALSE(has_relays(shape, slow_within));
    shape.one_node = true;
    CHECK_FALSE(has_relays(shape, Model{}));
    shape.one_node = false;
    shape.nodes = test::nodes_of(16, [](int r) { return r; });
    CHECK_FALSE(has_relays(shape, Model{}));
}

TEST_CASE("of the random operations for all some have relays, and some go straight") {
    for (const Kind kind : {Kind::bcast, Kind::allgather}) {
        int with = 0, without = 0;
        for (std::uint64_t seed = 0; seed < 8; ++seed) {
            const auto parted = test::some_parted(kind, 3 + static_cast<int>(seed % 3), seed);
            const bool has = test::make(parted).plans[0].solver == "partitioned_two_level";
            ++(has ? with : without);
        }
        CHECK(with > 1);
        CHECK(without > 0);
    }
}

TEST_CASE("pieces of partitioned reductions cross once from node to node") {
    for (const bool is_cyclic : {false, true})
        for (const Kind kind : {Kind::reduce, Kind::allreduce}) {
            const Shape shape = sixteen(kind, is_cyclic);
            const Counts direct = crossing(plans(combined, flat(shape), 8), shape.nodes);
            const Counts by_level = crossing(plans(combined, shape, 8), shape.nodes);
            INFO(name(kind) << ": " << sum(by_level) << " cross, without nodes " << sum(direct));
            CHECK(most(by_level) <= 8);
            CHECK(sum(by_level) < sum(direct));
        }
}
