// SPDX-License-Identifier: BSD-3-Clause
//
// Machines told by a text, and plans for ranks that share more and less than a node.
#include "cases.hpp"
#include "catch2.hpp"
#include "plan/clock.hpp"
#include "plan/planner.hpp"
#include "plan/topology.hpp"

#include <stdexcept>
#include <string>

using namespace mpix::plan;

namespace {

std::string of_ranks(const Nodes& nodes, int ranks) {
    std::string text;
    for (int rank = 0; rank < ranks; ++rank) text += static_cast<char>('a' + nodes.of(rank));
    return text;
}

// A word takes long to another node, less to another socket, and next to nothing within a cache.
Model steep() {
    Model model;
    model.latency_us = 20;
    model.node_latency_us = 5;
    model.socket_latency_us = 1;
    model.cache_latency_us = 0.1;
    model.overhead_us = model.node_overhead_us = 0.05;
    return model;
}

// Every solver of the kind, with parts as its own costs choose them, on ranks that are placed so.
void check_results(Kind kind, const Nodes& nodes, int ranks) {
    test::Case it = test::make(kind, {.ranks = ranks, .root = ranks / 2, .count = 5});
    for (Problem& problem : it.problems) {
        Shape& shape = problem.shape;
        shape.one_node = nodes.count() == 1;
        shape.locality = shape.one_node ? nodes.inside_largest().locality : Locality::network;
        shape.nodes = shape.one_node ? nodes.inside_largest().nodes : nodes;
        shape.crossing = {};
        problem.mates.clear();
    }
    const Shape& shape = it.problems[0].shape;
    const Model model = shape.one_node ? steep().within(shape.locality) : steep();
    for (const Solver* solver : catalogue()) {
        if (solver->kind != kind || !solver->applicable(shape)) continue;
        INFO(solver->name << " on " << ranks << " ranks of " << nodes.count() << " nodes");
        it.program.plans.clear();
        for (const Problem& problem : it.problems)
            it.program.plans.push_back(build(*solver, problem, model));
        for (std::uint64_t seed = 0; seed < 3; ++seed)
            CHECK(Simulator(it.program, seed).run() == "");
        CHECK(simulate(it.program.plans, nodes, model));
    }
}

} // namespace

TEST_CASE("a topology tells where each core is") {
    const Topology machine = Topology::parse("node:2 socket:2 cache:1 core:3");
    CHECK(machine.nodes() == 2);
    CHECK(machine.cores() == 12);
    CHECK(machine.cores_of_node() == 6);
    const Nodes nodes = machine.placement(false);
    CHECK(of_ranks(nodes, 12) == "aaaaaabbbbbb");
    CHECK(of_ranks(machine.placement(true), 12) == "abababababab");
    CHECK(nodes.shared(0, 6) == Locality::network);
    CHECK(nodes.shared(0, 3) == Locality::node);
    CHECK(nodes.shared(0, 2) == Locality::socket);
    CHECK(machine.placement(true).shared(0, 4) == Locality::socket);
    CHECK(machine.placement(true).shared(0, 6) == Locality::node);
    CHECK(Topology::parse("node:3 package:2 l3:2 core:2 pu:2").cores() == 48);
    CHECK(Topology::parse("core:4").nodes() == 1);
}

TEST_CASE("a topology that is none is refused") {
    for (const char* text : {"node", "node:", "node:0", "node:-1", "node:2x", "nodes:2", ":2",
                             "core:2 node:2", "socket:2 node:4", "node:99999 core:99999"}) {
        INFO(text);
        CHECK_THROWS_AS(Topology::parse(text), std::invalid_argument);
    }
}

TEST_CASE("what does not divide ranks is no level for them") {
    const auto inside = [](const char* text, const std::vector<int>& ranks) {
        return Topology::parse(text).placement(false).inside(ranks);
    };
    const Nodes::Inside several = inside("node:2 socket:2 cache:2 core:2", {8, 9, 10, 12});
    CHECK(several.locality == Locality::node);
    CHECK(of_ranks(several.nodes, 4) == "aaab");
    CHECK(several.nodes.shared(0, 1) == Locality::cache);
    CHECK(several.nodes.shared(0, 2) == Locality::socket);
    const Nodes::Inside one_socket = inside("node:2 socket:2 cache:2 core:2", {12, 13, 14});
    CHECK(one_socket.locality == Locality::socket);
    CHECK(of_ranks(one_socket.nodes, 3) == "aab");
    const Nodes::Inside one_cache = inside("node:2 socket:2 cache:2 core:2", {4, 5});
    CHECK(one_cache.locality == Locality::cache);
    CHECK(one_cache.nodes.empty());
    const Nodes::Inside alone = inside("node:2 socket:2 core:2", {0, 2});
    CHECK(alone.locality == Locality::node);
    CHECK(alone.nodes.empty());
    CHECK(inside("node:2 core:4", {0, 1, 2}).nodes.empty());
}

TEST_CASE("plans over four levels are right, whatever solvers their parts have") {
    const struct {
        const char* topology;
        bool is_cyclic;
    } machines[] = {{"node:2 socket:2 cache:2 core:2", false},
                    {"node:2 socket:2 cache:2 core:2", true},
                    {"node:1 socket:3 core:3", false},
                    {"node:1 socket:2 cache:3 core:2", false},
                    {"node:3 socket:2 core:2", true}};
    for (const auto& [topology, is_cyclic] : machines) {
        INFO(topology << (is_cyclic ? ", cyclic" : ""));
        const Topology machine = Topology::parse(topology);
        for (const Kind kind : {Kind::barrier, Kind::bcast, Kind::gather, Kind::scatter,
                                Kind::allgather, Kind::alltoall, Kind::reduce, Kind::allreduce,
                                Kind::reduce_scatter, Kind::scan, Kind::exscan})
            check_results(kind, machine.placement(is_cyclic), machine.cores());
    }
}

TEST_CASE("ranks of sockets that are not alike plan together") {
    std::vector<int> nodes, sockets;
    for (int rank = 0; rank < 13; ++rank) {
        nodes.push_back(rank < 7 ? 0 : 1);
        sockets.push_back(rank < 2 ? 0 : rank < 7 ? 1 : rank < 12 ? 2 : 3);
    }
    const Nodes placed(nodes, Locality::node, Nodes(sockets, Locality::socket));
    for (const Kind kind :
         {Kind::barrier, Kind::bcast, Kind::gather, Kind::scatter, Kind::allgather, Kind::alltoall,
          Kind::reduce, Kind::allreduce, Kind::reduce_scatter, Kind::scan, Kind::exscan})
        check_results(kind, placed, 13);
}

TEST_CASE("where another socket is far, what crosses to it is little") {
    const Topology machine = Topology::parse("node:1 socket:4 core:8");
    const Nodes nodes = machine.placement(true); // on one node they follow each other all the same
    for (const Kind kind : {Kind::barrier, Kind::bcast, Kind::reduce, Kind::allreduce}) {
        test::Case it = test::make(kind, {.ranks = 32, .count = 8});
        for (Problem& problem : it.problems) {
            problem.shape.one_node = true;
            problem.shape.locality = Locality::node;
            problem.shape.nodes = nodes.inside_largest().nodes;
        }
        const Model model = steep().within_node();
        const Shape& shape = it.problems[0].shape;
        const Solver* const chosen = choose(shape, model, [](const Solver&) { return true; });
        REQUIRE(chosen);
        INFO(chosen->name);
        for (const Problem& problem : it.problems)
            it.program.plans.push_back(build(*chosen, problem, model));
        const auto found = simulate(it.program.plans, shape.nodes, model);
        REQUIRE(found);
        CHECK(found->messages == 1); // from one socket to another
    }
}
