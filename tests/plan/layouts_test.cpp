// SPDX-License-Identifier: BSD-3-Clause
//
// What the general cases leave out: vectors long enough to be cut, and blocks that every rank lays
// out in an order of its own, as the displacements of the v-collectives allow.
#include "cases.hpp"
#include "catch2.hpp"
#include "plan/planner.hpp"

using namespace mpix::plan;

namespace {

std::byte content(int block, Bytes number, int round) {
    return static_cast<std::byte>(block * 31 + number * 7 + round * 101);
}

Sizes sizes(int ranks) {
    Sizes all;
    for (int r = 0; r < ranks; ++r) all.push_back(r % 4 * 5);
    return all;
}

// Even ranks keep their blocks adjacent and in order; odd ones backwards, with gaps.
Blocks lay_out(Buffer buffer, const Sizes& bytes, int rank) {
    Blocks places;
    Bytes offset = rank % 2 == 0 ? 0 : 1000;
    for (const Bytes size : bytes) {
        if (rank % 2 != 0) offset -= size + size % 3;
        places.push_back({buffer, offset, size});
        if (rank % 2 == 0) offset += size;
    }
    return places;
}

Problem problem(Kind kind, int ranks, int root, int rank) {
    Problem it;
    it.shape = {.kind = kind, .ranks = ranks, .root = root, .regular = false};
    it.rank = rank;
    it.sizes = sizes(ranks);
    const Bytes own = it.sizes[static_cast<std::size_t>(rank)];
    for (const Bytes size : it.sizes) it.shape.total += size;
    it.shape.largest = 15;
    if (kind == Kind::scatter) {
        it.recv = {{Buffer::recv, 0, own}};
        if (rank == root) it.send = lay_out(Buffer::send, it.sizes, rank);
    } else {
        it.send = {{Buffer::send, 0, own}};
        if (kind == Kind::allgather || rank == root)
            it.recv = lay_out(Buffer::recv, it.sizes, rank);
    }
    return it;
}

// The number of the block at places[i]: a single place has the rank's own.
int block(const Problem& problem, const Blocks& places, std::size_t i) {
    const bool own =
        problem.shape.kind == Kind::scatter ? &places == &problem.recv : &places == &problem.send;
    return own ? problem.rank : static_cast<int>(i);
}

void fill(const Problem& problem, int round, Memory& memory) {
    memory.send.assign(1000, {});
    memory.recv.assign(1000, {});
    for (std::size_t i = 0; i < problem.send.size(); ++i)
        for (Bytes k = 0; k < problem.send[i].bytes; ++k)
            memory.send[static_cast<std::size_t>(problem.send[i].offset + k)] =
                content(block(problem, problem.send, i), k, round);
}

std::string check(const Problem& problem, int round, const Memory& memory) {
    for (std::size_t i = 0; i < problem.recv.size(); ++i)
        for (Bytes k = 0; k < problem.recv[i].bytes; ++k)
            if (memory.recv[static_cast<std::size_t>(problem.recv[i].offset + k)] !=
                content(block(problem, problem.recv, i), k, round))
                return "block " + std::to_string(i) + " is wrong";
    return "";
}

std::string simulate(const Solver& solver, int ranks, int root) {
    std::vector<Problem> problems;
    Simulator::Program program;
    for (int rank = 0; rank < ranks; ++rank) {
        problems.push_back(problem(solver.kind, ranks, root, rank));
        program.plans.push_back(build(solver, problems.back(), Model{}));
    }
    const auto of = [&](int rank) { return problems[static_cast<std::size_t>(rank)]; };
    program.fill = [&](int rank, int round, Memory& memory) { fill(of(rank), round, memory); };
    program.check = [&](int rank, int round, Memory& memory) {
        return check(of(rank), round, memory);
    };
    program.rounds = 3;
    return Simulator(program, static_cast<std::uint64_t>(ranks * 100 + root)).run();
}

} // namespace

TEST_CASE("every rank may lay its blocks out in an order of its own") {
    for (const Solver* solver : catalogue())
        for (const Kind kind : {Kind::gather, Kind::scatter, Kind::allgather})
            for (const int ranks : {2, 3, 5, 8, 13, 16})
                for (const int root : {0, 1, ranks - 1}) {
                    const Problem first = problem(kind, ranks, root, 0);
                    if (solver->kind != kind || !solver->applicable(first.shape)) continue;
                    INFO(solver->name << ", " << ranks << " ranks, root " << root);
                    CHECK(simulate(*solver, ranks, root) == "");
                }
}

TEST_CASE("a broadcast cut into more segments than there are tags moves the right data") {
    for (const Solver* solver : catalogue())
        for (const int ranks : {2, 3, 5, 8}) {
            if (solver->kind != Kind::bcast) continue;
            test::Case it =
                test::make(Kind::bcast, {.ranks = ranks, .root = ranks / 2, .count = 1'000'001});
            for (const Problem& problem : it.problems)
                it.program.plans.push_back(build(*solver, problem, Model{}));
            it.program.rounds = 2;
            INFO(solver->name << ", " << ranks << " ranks");
            CHECK(Simulator(it.program, 7).run() == "");
            if (solver->name == "bcast_chain" && ranks > 2)
                CHECK(it.program.plans[0].steps.size() > Builder::default_tags);
        }
}
