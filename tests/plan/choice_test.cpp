// SPDX-License-Identifier: BSD-3-Clause
//
// What the planner chooses: trees for short vectors, what moves least for long ones. Where exactly
// one takes over from the other is the machine's affair, and not tested.
#include "catch2.hpp"
#include "nodes_of.hpp"
#include "plan/planner.hpp"
#include "plan/rivals.hpp"
#include "plan/solvers/levels.hpp"

#include <algorithm>
#include <cstddef>
#include <set>

using namespace mpix::plan;

namespace {

std::string_view choice(const Shape& shape) {
    return choose(shape, Model{}, [](const Solver&) { return true; })->name;
}

std::string_view within_node(Kind kind, int ranks, Bytes bytes) {
    const Shape shape{
        .kind = kind, .ranks = ranks, .one_node = true, .total = bytes, .largest = bytes};
    return choose(shape, Model::of_node(), [](const Solver&) { return true; })->name;
}

std::string_view blocks_within_node(Kind kind, int ranks, Bytes bytes) {
    const Shape shape{
        .kind = kind, .ranks = ranks, .one_node = true, .total = ranks * bytes, .largest = bytes};
    return choose(shape, Model::of_node(), [](const Solver&) { return true; })->name;
}

// On a node with two cores.
std::string_view sharing_cores(const Shape& shape) {
    Model model = Model::of_node();
    model.ranks_per_core = shape.ranks / 2.0;
    return choose(shape, model, [](const Solver&) { return true; })->name;
}

// Nodes that share the ranks.
std::string_view over_nodes(Kind kind, int ranks, Bytes bytes, int nodes = 2) {
    Shape shape{.kind = kind, .ranks = ranks, .total = bytes, .largest = bytes};
    if (kind == Kind::allgather) shape.total *= ranks;
    shape.nodes = test::nodes_of(ranks, [&](int rank) { return nodes * rank / ranks; });
    return choice(shape);
}

std::string_view vector(Kind kind, int ranks, Bytes bytes) {
    return choice({.kind = kind, .ranks = ranks, .total = bytes, .largest = bytes});
}

std::string_view blocks(Kind kind, int ranks, Bytes bytes) {
    return choice({.kind = kind, .ranks = ranks, .total = ranks * bytes, .largest = bytes});
}

// Of the first of 16 ranks on four nodes, in an allreduce of two levels.
std::ptrdiff_t messages_to_other_nodes(Bytes bytes, const Model& model) {
    Problem problem;
    problem.shape = {.kind = Kind::allreduce,
                     .ranks = 16,
                     .commutative = true,
                     .grain = 8,
                     .total = bytes,
                     .largest = bytes};
    problem.shape.nodes = test::nodes_of(16, [](int rank) { return rank / 4; });
    problem.send = {{Buffer::send, 0, bytes}};
    problem.recv = {{Buffer::recv, 0, bytes}};
    const Plan plan = build(*find_solver("allreduce_two_level"), problem, model);
    return std::ranges::count_if(
        plan.steps, [](const Step& step) { return step.action == Action::send && step.peer >= 4; });
}

constexpr Bytes long_block = 1 << 20;

} // namespace

TEST_CASE("a short broadcast takes the binomial tree") {
    for (const int ranks : {1, 2, 3, 8, 33, 256})
        for (const Bytes bytes : {0, 8, 1024}) {
            INFO(ranks << " ranks, " << bytes << " bytes");
            CHECK(vector(Kind::bcast, ranks, bytes) == "bcast_binomial");
        }
}

TEST_CASE("few ranks of one node deal with each other at once") {
    for (const int ranks : {3, 4}) { // of two it is all the same
        CHECK(within_node(Kind::barrier, ranks, 0) == "barrier_flat");
        CHECK(within_node(Kind::allreduce, ranks, 8) == "allreduce_flat");
        CHECK(within_node(Kind::reduce, ranks, 8) == "reduce_flat");
    }
    CHECK(within_node(Kind::bcast, 3, 8) == "bcast_flat");
    CHECK(within_node(Kind::allreduce, 4, long_block) == "allreduce_direct");
}

TEST_CASE("few ranks of as many nodes send what is reduced to its root, long vectors by others") {
    const auto across = [](int ranks, Bytes bytes) {
        Shape shape{.kind = Kind::reduce,
                    .ranks = ranks,
                    .commutative = true,
                    .grain = 8,
                    .total = bytes,
                    .largest = bytes};
        const Model network{.latency_us = 20, .overhead_us = 10, .taking_us = 4};
        return choose(shape, network, [](const Solver&) { return true; })->name;
    };
    CHECK(across(4, 64) == "reduce_flat");
    CHECK(across(4, 1 << 20) != "reduce_flat");
    CHECK(across(64, 64) == "reduce_binomial");
}

TEST_CASE("many ranks of one node share the work of sending, and pass on as little as they can") {
    for (const int ranks : {7, 8, 16}) {
        CHECK(within_node(Kind::bcast, ranks, 8) == "bcast_binomial");
        CHECK(within_node(Kind::bcast, ranks, long_block) == "bcast_scatter_allgather");
        CHECK(blocks_within_node(Kind::allgather, ranks, long_block) == "allgather_linear");
        CHECK(blocks_within_node(Kind::reduce_scatter, ranks, long_block) ==
              "reduce_scatter_pairwise");
    }
    for (const int ranks : {4, 8, 16}) {
        CHECK(within_node(Kind::scan, ranks, long_block) == "scan_chain");
        CHECK(within_node(Kind::exscan, ranks, long_block) == "exscan_chain");
    }
}

TEST_CASE("ranks that share cores spare each other work, and wait for no partner") {
    for (const int ranks : {4, 8, 16})
        for (const Bytes bytes : {Bytes{1} << 18, long_block}) {
            INFO(ranks << " ranks, " << bytes << " bytes");
            Shape shape{.ranks = ranks, .one_node = true, .total = ranks * bytes, .largest = bytes};
            shape.kind = Kind::alltoall;
            CHECK(sharing_cores(shape) == "alltoall_linear");
            shape.total = bytes;
            shape.kind = Kind::reduce;
            CHECK(sharing_cores(shape) != "reduce_scatter_gather");
        }
}

TEST_CASE("of many ranks on few cores none deals with all others, but the first") {
    const auto on_two_cores = [](Kind kind, int ranks) {
        Shape shape{
            .kind = kind, .ranks = ranks, .one_node = true, .grain = 8, .total = 8, .largest = 8};
        Model model = Model::of_node();
        model.ranks_per_core = ranks / 2.0;
        model.latency_us = ranks; // a turn of each
        return choose(shape, model, [](const Solver&) { return true; })->name;
    };
    CHECK(on_two_cores(Kind::allreduce, 4) == "allreduce_flat");
    CHECK(on_two_cores(Kind::barrier, 4) == "barrier_flat");
    CHECK(on_two_cores(Kind::allreduce, 128) == "allreduce_central");
    CHECK(on_two_cores(Kind::barrier, 128) == "barrier_central");
}

TEST_CASE("many ranks of a few nodes deal with their nodes first") {
    CHECK(over_nodes(Kind::barrier, 32, 0) == "barrier_two_level");
    CHECK(over_nodes(Kind::allreduce, 32, 8) == "allreduce_two_level");
    CHECK(over_nodes(Kind::reduce, 32, 8) == "reduce_two_level");
    CHECK(over_nodes(Kind::bcast, 32, 8) == "bcast_two_level");
}

TEST_CASE("a broadcast of middling length to many ranks is scattered and allgathered") {
    CHECK(vector(Kind::bcast, 64, 100'000) == "bcast_scatter_allgather");
    CHECK(vector(Kind::bcast, 256, 1'000'000) == "bcast_scatter_allgather");
}

TEST_CASE("a very long broadcast goes down the chain") {
    for (const int ranks : {3, 8, 33, 64})
        CHECK(vector(Kind::bcast, ranks, 64 * long_block) == "bcast_chain");
}

TEST_CASE("a chain along nodes that follow each other is priced by what it sends between them") {
    const Model far{.latency_us = 6.5, .overhead_us = 4.5};
    const Solver& chain = *find_solver("scan_chain");
    Shape scan{.kind = Kind::scan, .ranks = 16, .total = 8, .largest = 8};
    scan.nodes = test::nodes_of(scan.ranks, [](int rank) { return rank / 4; });
    const double along = cost(chain, scan, far);
    scan.nodes = test::nodes_of(scan.ranks, [](int rank) { return rank % 4; });
    CHECK(cost(chain, scan, far) > 3 * along);
}

TEST_CASE("what lets rounds overlap is tried out where the model passes it over") {
    const Model far{.latency_us = 6.5, .overhead_us = 4.5};
    const auto rival = [&](Kind kind) {
        Shape shape{.kind = kind, .ranks = 8, .total = 64, .largest = 8};
        shape.nodes = test::nodes_of(shape.ranks, [](int rank) { return rank / 2; });
        const Solver& chosen = *choose(shape, far, [](const Solver&) { return true; });
        CHECK_FALSE(chosen.overlaps);
        return find_rival(chosen, shape, far);
    };
    CHECK(rival(Kind::gather) == find_solver("gather_linear"));
    CHECK(rival(Kind::scan) == find_solver("scan_chain"));
    CHECK(rival(Kind::exscan) == find_solver("exscan_chain"));
}

TEST_CASE("what leaders do among themselves is not tried out among all") {
    const double overhead = GENERATE(2, 4, 8);
    const Model far{.latency_us = 2 * overhead, .overhead_us = overhead, .per_byte_us = 1.0 / 4096};
    const Bytes bytes = GENERATE(8, 4 << 10, 256 << 10);
    Shape shape{.kind = Kind::reduce, .ranks = 8, .total = bytes, .largest = bytes};
    shape.commutative = true;
    shape.nodes = test::nodes_of(shape.ranks, [](int rank) { return rank / 2; });
    const Solver& of_levels = *find_solver("reduce_two_level");
    const Solver& of_leaders = among_leaders(shape, far);
    const double near = 2 * cost(of_levels, shape, far);
    const bool are_others_near = std::ranges::any_of(catalogue(), [&](const Solver* solver) {
        return solver->kind == Kind::reduce && solver->applicable(shape) && solver != &of_levels &&
               solver != &of_leaders && cost(*solver, shape, far) <= near &&
               cost(*solver, shape, far) != cost(of_levels, shape, far);
    });
    const Solver* const rival = find_rival(of_levels, shape, far);
    REQUIRE(rival);
    CHECK(rival != &of_levels);
    CHECK((rival != &of_leaders) == are_others_near);
}

TEST_CASE("whoever takes a message quicker than it is posted has all of a few at once") {
    Model far{.latency_us = 8, .overhead_us = 4, .taking_us = 2};
    const auto chosen = [&](Kind kind) {
        Shape shape{.kind = kind, .ranks = 4, .total = 32, .largest = 8};
        shape.nodes = test::nodes_of(shape.ranks, [](int rank) { return rank; });
        return choose(shape, far, [](const Solver&) { return true; })->name;
    };
    CHECK(chosen(Kind::gather) == "gather_linear");
    CHECK(chosen(Kind::scatter) == "scatter_binomial");
    far.taking_us = 0; // as posting
    CHECK(chosen(Kind::gather) == "gather_binomial");
}

TEST_CASE("short blocks are gathered and scattered by binomial trees") {
    for (const int ranks : {16, 33, 256}) {
        CHECK(blocks(Kind::gather, ranks, 8) == "gather_binomial");
        CHECK(blocks(Kind::scatter, ranks, 8) == "scatter_binomial");
    }
}

TEST_CASE("long blocks, or those of a few ranks, are gathered and scattered directly") {
    for (const int ranks : {3, 8, 33, 256}) {
        CHECK(blocks(Kind::gather, ranks, long_block) == "gather_linear");
        CHECK(blocks(Kind::scatter, ranks, long_block) == "scatter_linear");
    }
    CHECK(blocks(Kind::gather, 5, 1024) == "gather_linear");
    CHECK(blocks(Kind::scatter, 5, 1024) == "scatter_linear");
}

TEST_CASE("short blocks are allgathered in a logarithm of rounds") {
    for (const int ranks : {4, 8, 32, 256})
        CHECK(blocks(Kind::allgather, ranks, 8) == "allgather_recursive_doubling");
    for (const int ranks : {6, 13, 33, 255})
        CHECK(blocks(Kind::allgather, ranks, 8) == "allgather_bruck");
}

TEST_CASE("long blocks are allgathered round the ring") {
    for (const int ranks : {3, 8, 13, 33, 256})
        CHECK(blocks(Kind::allgather, ranks, long_block) == "allgather_ring");
}

TEST_CASE("every broadcast, gather, scatter and allgather is the best one somewhere") {
    std::set<std::string_view> chosen;
    const Kind kinds[] = {Kind::bcast, Kind::gather, Kind::scatter, Kind::allgather};
    for (const Kind kind : kinds)
        for (const int ranks : {2, 3, 5, 7, 8, 16, 33, 64})
            for (Bytes bytes = 1; bytes <= long_block; bytes *= 4)
                for (const auto& name :
                     {kind == Kind::bcast ? vector(kind, ranks, bytes) : blocks(kind, ranks, bytes),
                      within_node(kind, ranks, bytes), over_nodes(kind, ranks, bytes),
                      over_nodes(kind, ranks, bytes, std::max(ranks / 8, 2))})
                    chosen.insert(name);
    for (const Solver* solver : catalogue())
        for (const Kind kind : kinds)
            if (solver->kind == kind) {
                INFO(solver->name);
                CHECK(chosen.count(solver->name) == 1);
            }
}

TEST_CASE("the parts of a plan of two levels are chosen by what the network costs") {
    constexpr Bytes bytes = 16 << 10;
    Model slow, fast;
    slow.latency_us = 16;
    fast.latency_us = 0.1;
    CHECK(messages_to_other_nodes(bytes, slow) == 2); // the whole vector, in two rounds
    CHECK(messages_to_other_nodes(bytes, fast) > 2);
    slow.ranks_per_core = 4; // they take turns on each node, but not the nodes
    CHECK(messages_to_other_nodes(bytes, slow) == 2);
}

TEST_CASE("two ranks combine what they send each other, more on other nodes take turns") {
    CHECK(blocks(Kind::reduce_scatter, 2, 1024) == "reduce_scatter_flat");
    CHECK(blocks(Kind::reduce_scatter, 3, 1024) != "reduce_scatter_flat");
}

TEST_CASE("a message costs more where its receiver is asked, and less of that where it is cut") {
    Model model;
    model.overhead_us = 3;
    CHECK(model.asking(1 << 20) == 0);
    CHECK(model.quickest_cutting() == Cutting{});
    model.rendezvous_us = 20;
    model.eager_bytes = 1001;
    CHECK(model.asking(1000) == 0);
    CHECK(model.asking(1001) == 3);
    CHECK(model.asking(7000) == 6 * 3);
    CHECK(model.asking(8008) == 20); // to post so many would take longer
    CHECK(model.quickest_cutting() == Cutting{1000, 7000});
    model.rendezvous_us = 1000;
    CHECK(model.quickest_cutting() == Cutting{1000, 16000}); // there are so many tags
    model.overhead_us = 2000;
    CHECK(model.quickest_cutting() == Cutting{});
}

TEST_CASE("ranks of a node share its network card") {
    Shape shape{
        .kind = Kind::alltoall, .ranks = 32, .total = 32 * long_block, .largest = long_block};
    shape.nodes = test::nodes_of(32, [](int rank) { return rank / 16; });
    const Solver& linear = *find_solver("alltoall_linear");
    Model narrow, wide;
    narrow.streams = 1;
    wide.streams = 16;
    CHECK(cost(linear, shape, narrow) > 8 * cost(linear, shape, wide));
}

// Nothing but a core moves bytes there, and it does nothing else meanwhile.
TEST_CASE("where ranks share cores a tree's messages and its work both take time") {
    const Shape shape{.kind = Kind::reduce_scatter,
                      .ranks = 4,
                      .one_node = true,
                      .grain = 8,
                      .total = 4 * long_block,
                      .largest = long_block};
    const Solver& trees = *find_solver("reduce_scatter_pat");
    Model both; // in which bytes alone take time
    both.ranks_per_core = 2;
    both.copy_us = both.overhead_us = both.latency_us = 0;
    both.node_overhead_us = both.node_latency_us = 0;
    both = both.within_node();
    Model moves = both, works = both;
    moves.reduce_us = 0;
    works.per_byte_us = works.node_per_byte_us = 0;
    CHECK(cost(trees, shape, both) >
          0.99 * (cost(trees, shape, moves) + cost(trees, shape, works)));
}
