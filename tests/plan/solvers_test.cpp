// SPDX-License-Identifier: BSD-3-Clause
//
// Every solver in the catalogue, at 1 to 33 ranks, in random orders: the right data, no race, no
// deadlock.
#include "cases.hpp"
#include "catch2.hpp"
#include "plan/planner.hpp"

#include <algorithm>

using namespace mpix::plan;

namespace {

bool rooted(Kind kind) {
    return kind == Kind::bcast || kind == Kind::gather || kind == Kind::scatter ||
           kind == Kind::reduce;
}

bool reduces(Kind kind) {
    return kind == Kind::reduce || kind == Kind::allreduce || kind == Kind::reduce_scatter ||
           kind == Kind::scan || kind == Kind::exscan || kind == Kind::group_reduce;
}

bool has_in_place(Kind kind) { return kind != Kind::bcast && kind != Kind::group_reduce; }

std::vector<test::Variant> variants(Kind kind, int ranks) {
    std::vector<int> roots{0};
    if (rooted(kind) && ranks > 1) roots = {0, 1, ranks - 1};
    std::vector<test::Variant> all;
    for (const int root : roots)
        for (const int count : {0, 1, 3, 37})
            for (const int bits : {0, 1, 2, 3, 4, 5, 6, 7}) {
                const bool in_place = bits & 1, irregular = bits & 2, special = bits & 4;
                if (in_place && !has_in_place(kind)) continue;
                test::Variant v{ranks, root, count, in_place, !irregular};
                if (reduces(kind))
                    v.commutative = !special;
                else
                    v.staged = special;
                all.push_back(v);
            }
    return all;
}

std::string simulate(const Solver& solver, const test::Variant& variant, std::uint64_t seed,
                     const Model& model) {
    test::Case it = test::make(solver.kind, variant);
    for (const Problem& problem : it.problems)
        it.program.plans.push_back(build(solver, problem, model));
    it.program.rounds = 3;
    return Simulator(it.program, seed).run();
}

// Every variant with one seed, and a few small ones with many.
void prove(const Solver& solver, int ranks, const Model& model = {}) {
    std::uint64_t seed = static_cast<std::uint64_t>(ranks) * 1000;
    for (const test::Variant& variant : variants(solver.kind, ranks)) {
        const test::Case it = test::make(solver.kind, variant);
        if (!solver.applicable(it.problems[0].shape)) continue;
        const int repeats = variant.count == 3 && ranks <= 8 ? 20 : 1;
        for (int i = 0; i < repeats; ++i) {
            const std::string wrong = simulate(solver, variant, ++seed, model);
            INFO(solver.name << ": " << test::describe(variant) << ", seed " << seed);
            CHECK(wrong == "");
            if (!wrong.empty()) return;
        }
    }
}

} // namespace

TEST_CASE("every solver moves the right data at every number of ranks") {
    for (const Solver* solver : catalogue())
        for (const int ranks : {1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 13, 15, 16, 17, 31, 32, 33})
            prove(*solver, ranks);
}

TEST_CASE("every solver moves the right data where receivers are asked, and messages cut") {
    Model model;
    model.eager_bytes = 51;
    model.rendezvous_us = 10;
    for (const Bytes part : {0, 50}) { // whole, and cut
        model.cutting = {.part = part, .most = 10 * part};
        for (const Solver* solver : catalogue())
            for (const int ranks : {2, 3, 5, 8, 13}) prove(*solver, ranks, model);
    }
}

// Of three edges to a rank of another node: both ends have to join them, or not, and cut them
// alike.
TEST_CASE("edges move the right data whether they are joined, whole or in parts") {
    for (const double copy_us : {0.01, 1.0, 100.0})
        for (const double rendezvous_us : {3.0, 10.0, 100.0}) {
            Model model{.overhead_us = 1, .copy_us = copy_us, .eager_bytes = 4};
            model.rendezvous_us = rendezvous_us;
            model.cutting = model.quickest_cutting();
            for (const bool stays_in_cache : {true, false}) {
                model.stays_in_cache = stays_in_cache ? 1 << 19 : 0;
                for (const int ranks : {2, 3, 5, 8})
                    prove(*find_solver("neighbor_linear"), ranks, model);
            }
        }
}

TEST_CASE("messages between nodes are cut, within a node and beyond a limit they are not") {
    Model model;
    model.cutting = {.part = 50, .most = 500};
    const auto longest = [&](int count, int to) {
        const test::Case it = test::make(Kind::gather, {.ranks = 4, .count = count});
        const Plan plan = build(*find_solver("gather_linear"), it.problems[0], model);
        Bytes most = 0;
        for (const Step& step : plan.steps)
            if (step.action == Action::recv && step.peer == to) most = std::max(most, step.bytes);
        return most;
    };
    CHECK(longest(501, 2) == 501); // of an odd count three ranks follow each other on a node
    CHECK(longest(499, 2) == 499);
    CHECK(longest(499, 3) == 50);
    CHECK(longest(501, 3) == 501);
    CHECK(longest(49, 3) == 49);
}

// The first part is combined while the second is on its way.
TEST_CASE("what comes in parts is combined part by part") {
    Model model;
    model.cutting = {.part = 64, .most = 1024};
    const test::Case it = test::make(Kind::reduce, {.ranks = 2, .count = 100});
    const Plan plan = build(*find_solver("reduce_binomial"), it.problems[0], model);
    const auto parts = std::ranges::count(plan.steps, Action::recv, &Step::action);
    CHECK(parts > 1);
    CHECK(std::ranges::count(plan.steps, Action::reduce, &Step::action) == parts);
    for (const Step& step : plan.steps)
        if (step.action == Action::reduce) CHECK(step.needs == 1);
}

TEST_CASE("of short messages of several phases one is awaited at a time") {
    const auto posted_at_start = [](const char* name, const test::Variant& variant) {
        const Solver& solver = *find_solver(name);
        const test::Case it = test::make(solver.kind, variant);
        std::ptrdiff_t most = 0;
        for (const Problem& problem : it.problems) {
            const Plan plan = build(solver, problem, Model{});
            most = std::max(most, std::ranges::count_if(plan.after(plan.gates[0]), [&](StepId id) {
                                return receives(plan.steps[static_cast<std::size_t>(id)].action);
                            }));
        }
        return most;
    };
    for (const char* const name :
         {"allgather_bruck", "allgather_recursive_doubling", "allgather_pat",
          "reduce_scatter_recursive_halving", "reduce_scatter_pat"}) {
        INFO(name);
        CHECK(posted_at_start(name, {.ranks = 8, .count = 2}) == 1);
        CHECK(posted_at_start(name, {.ranks = 8, .count = 4000}) > 1);
    }
    CHECK(posted_at_start("reduce_scatter_recursive_halving", {.ranks = 7, .count = 2}) == 1);
}

TEST_CASE("every kind has a solver for every shape") {
    const Kind kinds[] = {Kind::barrier,        Kind::bcast,    Kind::gather, Kind::scatter,
                          Kind::allgather,      Kind::alltoall, Kind::reduce, Kind::allreduce,
                          Kind::reduce_scatter, Kind::scan,     Kind::exscan, Kind::neighbor,
                          Kind::group_reduce};
    for (const Kind kind : kinds)
        for (const test::Variant& variant : variants(kind, 5)) {
            const test::Case it = test::make(kind, variant);
            INFO(name(kind) << ": " << test::describe(variant));
            CHECK(choose(it.problems[0].shape, Model{}, [](const Solver&) { return true; }));
        }
}

TEST_CASE("every solver is named after its kind and its file") {
    for (const Solver* solver : catalogue()) CHECK(solver->name.starts_with(name(solver->kind)));
}

// A copy for each block that arrives, one for each run of blocks that goes on, and the messages.
TEST_CASE("an alltoall of short blocks takes as many steps as there are ranks, twice") {
    for (const int ranks : {64, 100, 256}) {
        const test::Case it = test::make(Kind::alltoall, {.ranks = ranks, .count = 8});
        const Solver& bruck = *find_solver("alltoall_bruck");
        CHECK(build(bruck, it.problems[1], Model{}).steps.size() <
              static_cast<std::size_t>(2 * ranks + 24));
    }
}

TEST_CASE(
    "where order does not matter recursive halving moves a run at a time, and packs nothing") {
    for (const int ranks : {16, 48, 1 << 20}) {
        const auto n = static_cast<std::size_t>(ranks);
        Problem problem;
        problem.shape = {
            .kind = Kind::reduce_scatter, .ranks = ranks, .total = 8 * ranks, .largest = 8};
        problem.rank = ranks / 2 + 1; // which stays
        problem.sizes = Sizes::regular(8, 0, n);
        problem.send = Blocks::regular({Buffer::send, 0, 8}, 8, n);
        problem.recv = {{Buffer::recv, 0, 8}};
        const Plan plan = build(*find_solver("reduce_scatter_recursive_halving"), problem, Model{});
        CHECK(plan.steps.size() < 3 * 20 + 5);
        CHECK(std::ranges::count(plan.steps, Action::copy, &Step::action) == 1);
    }
}
