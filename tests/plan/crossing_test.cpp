// SPDX-License-Identifier: BSD-3-Clause
//
// What plans send from node to node: 16 nodes of 16 ranks, whichever way the ranks are placed.
#include "cases.hpp"
#include "catch2.hpp"
#include "nodes_of.hpp"
#include "plan/planner.hpp"

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

struct Sent {
    int messages = 0; // of a pair of nodes, at most
    int pairs = 0;    // that have any
    Bytes bytes = 0;  // of all
};

// Of what the planner chooses.
template<class NodeOf>
Sent sent(std::vector<Problem> problems, NodeOf node_of) {
    const Model model = slow_network();
    for (Problem& problem : problems) {
        problem.shape.one_node = false;
        problem.shape.nodes = test::nodes_of(problem.shape.ranks, node_of);
    }
    test::share_edges(problems);
    Sent found;
    std::map<std::pair<int, int>, int> messages;
    const Solver* const chosen =
        choose(problems[0].shape, model, [](const Solver&) { return true; });
    for (const Problem& problem : problems)
        for (const Step& step : build(*chosen, problem, model).steps) {
            const std::pair pair{node_of(problem.rank), node_of(step.peer)};
            if (step.action != Action::send || pair.first == pair.second) continue;
            found.messages = std::max(found.messages, ++messages[pair]);
            found.bytes += step.bytes;
        }
    found.pairs = static_cast<int>(messages.size());
    return found;
}

Sent sent(Kind kind, int count, bool is_cyclic, bool is_regular = true) {
    const test::Variant variant{
        .ranks = nodes * mates, .root = 17, .count = count, .regular = is_regular};
    return sent(test::make(kind, variant).problems,
                [&](int rank) { return is_cyclic ? rank % nodes : rank / mates; });
}

// A periodic cube of 4 x 4 x 4 ranks, 8 of each node: 2 x 2 x 2.
struct Stencil {
    static constexpr int side = 4, ranks = side * side * side;

    static int node_of(int rank) {
        return rank % side / 2 + 2 * (rank / side % side / 2) + 4 * (rank / side / side / 2);
    }
    // The 26 around it, with blocks as of faces, edges and corners of `width`; or one for all.
    static std::vector<Problem> problems(Bytes width, bool is_alike) {
        std::vector<Problem> all;
        for (int rank = 0; rank < ranks; ++rank) all.push_back(problem(rank, width, is_alike));
        return all;
    }
    static Problem problem(int rank, Bytes width, bool is_alike) {
        Problem made;
        made.rank = rank;
        Bytes out = 0;
        for (int i = 0; i < 27; ++i) {
            if (i == 13) continue;
            const int x = i % 3 - 1, y = i / 3 % 3 - 1, z = i / 9 - 1;
            Bytes bytes = 1;
            for (const int d : {x, y, z}) bytes *= d == 0 || is_alike ? width : 1;
            made.destinations.push_back(moved(rank, x, y, z));
            made.sources.push_back(moved(rank, -x, -y, -z));
            made.send.push_back({Buffer::send, is_alike ? 0 : out, bytes});
            made.recv.push_back({Buffer::recv, out, bytes});
            made.shape.largest = std::max(made.shape.largest, bytes);
            out += bytes;
        }
        made.shape.kind = Kind::neighbor;
        made.shape.ranks = ranks;
        made.shape.total = out;
        return made;
    }
    static int moved(int rank, int x, int y, int z) {
        const auto step = [](int at, int by) { return (at + by + side) % side; };
        return step(rank % side, x) + side * step(rank / side % side, y) +
               side * side * step(rank / side / side, z);
    }
};

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
        {Kind::allgather, mates},
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
            CHECK(sent(row.kind, count, false).messages <= row.messages);
        }
}

// Not so of scans: the ranks before one are whole nodes only where those follow each other.
TEST_CASE("ranks placed by turns send no more from node to node than ranks placed in blocks") {
    for (const Kind kind : {Kind::barrier, Kind::bcast, Kind::gather, Kind::scatter, Kind::reduce,
                            Kind::allgather, Kind::alltoall, Kind::allreduce, Kind::reduce_scatter})
        for (const int count : {1, 64, 1024}) {
            INFO(name(kind) << " of " << count);
            const Sent blocks = sent(kind, count, false), turns = sent(kind, count, true);
            // An allgather in lanes has less to copy where ranks are placed by turns.
            CHECK(turns.messages <= (kind == Kind::allgather ? mates : blocks.messages));
            CHECK(turns.bytes == blocks.bytes);
        }
}

TEST_CASE("blocks of any sizes cross in one message of each pair of nodes") {
    for (const int count : {1, 16})
        for (const bool is_cyclic : {false, true})
            CHECK(sent(Kind::alltoall, count, is_cyclic, false).messages == 1);
}

// Each node of the eight touches each other one: half of its ranks across a face, from both sides,
// as the cube is periodic.
TEST_CASE("a stencil of 27 points crosses in one message of each pair of nodes") {
    for (const Bytes width : {1, 8, 16}) {
        const auto problems = Stencil::problems(width, false);
        const Sent found = sent(problems, Stencil::node_of);
        Bytes bytes = 0; // that have to cross
        for (const Problem& problem : problems)
            for (std::size_t i = 0; i < problem.send.size(); ++i)
                if (Stencil::node_of(problem.destinations[i]) != Stencil::node_of(problem.rank))
                    bytes += problem.send[i].bytes;
        CHECK(found.messages == 1);
        CHECK(found.pairs == 8 * 7);
        CHECK(found.bytes == bytes);
    }
}

// Each rank touches 7 nodes: one behind each face, edge and corner of its own.
TEST_CASE("a value for several ranks of a node crosses once") {
    const Sent found = sent(Stencil::problems(2, true), Stencil::node_of);
    CHECK(found.messages == 1);
    CHECK(found.bytes == 64 * 7 * 8);
}

// A network card is not the limit there, and what is gathered first has to wait.
TEST_CASE("long blocks go to other nodes straight") {
    const Sent found = sent(Stencil::problems(512, false), Stencil::node_of);
    CHECK(found.messages > 1);
}

TEST_CASE("of several edges to a rank that have the same one is a message") {
    Problem problem;
    problem.shape = {.kind = Kind::neighbor, .ranks = 2, .alike = true, .total = 24, .largest = 8};
    for (int i = 0; i < 3; ++i) { // one of them to this rank itself
        problem.destinations.push_back(i == 1 ? 0 : 1);
        problem.sources.push_back(i == 1 ? 0 : 1);
        problem.send.push_back({Buffer::send, 0, 8});
        problem.recv.push_back({Buffer::recv, 8 * i, 8});
    }
    const auto messages = [&] {
        const Plan plan = build(*find_solver("neighbor_linear"), problem, Model{});
        return std::ranges::count_if(plan.steps, [](const Step& step) { return step.peer >= 0; });
    };
    CHECK(messages() == 2);
    problem.shape.alike = false;
    CHECK(messages() == 2); // of both
}

TEST_CASE("of several edges to a rank one is a message where that is quicker than to copy") {
    const auto messages = [](Bytes bytes, int ranks_of_node, const Model& model, int edges = 2) {
        Problem problem;
        problem.shape = {
            .kind = Kind::neighbor, .ranks = 4, .total = edges * bytes, .largest = bytes};
        problem.shape.nodes = test::nodes_of(4, [&](int rank) { return rank / ranks_of_node; });
        for (int i = 0; i < edges; ++i) {
            problem.destinations.push_back(1);
            problem.sources.push_back(1);
            problem.send.push_back({Buffer::send, i * (bytes + 8), bytes});
            problem.recv.push_back({Buffer::recv, i * bytes, bytes});
        }
        const Plan plan = build(*find_solver("neighbor_linear"), problem, model);
        return std::ranges::count_if(plan.steps, [](const Step& step) { return step.peer >= 0; });
    };
    const Model far{.latency_us = 6.5, .overhead_us = 4.5};
    CHECK(messages(64, 1, far) == 2);
    CHECK(messages(64 << 10, 1, far) == 4);
    CHECK(messages(8 << 10, 1, far) == 2);
    CHECK(messages(8 << 10, 2, far) == 4); // to a rank of the same node
    Model asking = far;
    asking.eager_bytes = 16 << 10;
    asking.rendezvous_us = 30;
    CHECK(messages(10 << 10, 1, asking) == 4); // together they would be asked for
    CHECK(messages(18 << 10, 1, asking, 9) == 2);
    CHECK(messages(256 << 10, 1, asking, 9) == 18); // all are asked for at once
    asking.cutting = asking.quickest_cutting();
    CHECK(messages(10 << 10, 1, asking) == 4);
    const Model busy{.latency_us = 30, .overhead_us = 24};
    CHECK(messages(62 << 10, 1, busy, 8) == 2);
    CHECK(messages(66 << 10, 1, busy, 8) == 16); // more than stays in the caches
    Model slow = asking;                         // to ask: one such message goes in parts
    slow.rendezvous_us = 100;
    slow.cutting = slow.quickest_cutting();
    REQUIRE(slow.cutting.part_of(240 << 10, 1) < 16 << 10);
    CHECK(messages(240 << 10, 1, slow, 1) == 32);
    CHECK(messages(240 << 10, 1, slow, 9) == 18); // one answer for all
    slow.ranks_per_core = 2;                      // others get on meanwhile
    CHECK(slow.quickest_cutting().part_of(240 << 10, 1) == 240 << 10);
    CHECK(slow.quickest_cutting().part_of(24 << 10, 1) < 16 << 10);
    CHECK(slow.asking(240 << 10) == 2 * slow.overhead_us);
}

TEST_CASE("long messages to several other nodes that are passed on go one by one") {
    Model model;
    model.eager_bytes = 1001;
    model.rendezvous_us = 10;
    const auto started_at_once = [&](const char* solver, Bytes bytes, int ranks_of_node) {
        const bool is_scatter = find_solver(solver)->kind == Kind::scatter;
        Problem problem;
        problem.shape = {.kind = find_solver(solver)->kind, .ranks = 4, .total = bytes};
        problem.shape.nodes = test::nodes_of(4, [&](int rank) { return rank / ranks_of_node; });
        problem.send = {{Buffer::send, 0, bytes}};
        for (Bytes i = 1; is_scatter && i < 4; ++i)
            problem.send.push_back({Buffer::send, i * bytes, bytes});
        problem.sizes = Sizes::regular(bytes, 0, 4);
        const Plan plan = build(*find_solver(solver), problem, model);
        return static_cast<int>(plan.gates[0].successors);
    };
    CHECK(started_at_once("bcast_binomial", 1000, 1) == 2);
    CHECK(started_at_once("bcast_binomial", 4000, 1) == 1);
    CHECK(started_at_once("bcast_binomial", 4000, 2) == 2); // one is on its node
    CHECK(started_at_once("bcast_binomial", 4000, 4) == 2);
    CHECK(started_at_once("scatter_binomial", 500, 1) == 2); // 1000 B and 500 B
    CHECK(started_at_once("scatter_binomial", 4000, 1) == 1);
    const auto of_ring = [&](Bytes bytes) { // its scatter sends two
        return started_at_once("bcast_scatter_allgather", bytes, 1);
    };
    CHECK(of_ring(8000) == of_ring(800) - 1);
    model.cutting = {1000, 16000};
    CHECK(started_at_once("bcast_binomial", 4000, 1) == 4); // the parts of one
    model = model.within(Locality::node);                   // whose sockets these are
    CHECK(started_at_once("bcast_binomial", 4000, 1) > 4);
}
