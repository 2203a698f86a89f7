// SPDX-License-Identifier: BSD-3-Clause
//
// Does the simulator see what is wrong? One step of one rank's plan is damaged, and some random
// order must show it.
#include "cases.hpp"
#include "catch2.hpp"
#include "mutants.hpp"
#include "plan/planner.hpp"
#include "results.hpp"

#include <algorithm>

using namespace mpix::plan;

namespace {

using test::Mutant;
using test::Mutants;
using Faults = std::function<Mutants(const test::Case&)>;

// Copies that nobody needs. In place, a rank's own block is at the start where a gather must leave
// it; and nobody wants the vector of the last rank of an exscan, dense or not.
bool is_idle(const Problem& problem, const Step& step) {
    if (step.action != Action::copy) return false;
    const Kind kind = problem.shape.kind;
    if (kind == Kind::exscan && problem.rank == problem.shape.ranks - 1)
        return step.from.buffer == Buffer::send_blocks;
    return (kind == Kind::gather || kind == Kind::allgather) &&
           Place{step.to.buffer, step.to.offset, step.bytes} == problem.send[0];
}

Mutants idle_steps(const test::Case& it) {
    return test::for_each_step(it.program.plans, "nothing instead",
                               [&it](int rank, const Step& step, const auto& found) {
                                   if (test::is_message(step) || test::joins(step) ||
                                       step.bytes == 0 || // it puts others in order
                                       is_idle(it.problems[static_cast<std::size_t>(rank)], step))
                                       return;
                                   found("", [](Step& s) { s.bytes = 0; });
                               });
}

Bytes buffer_size(const test::Case& it, int rank, Buffer buffer) {
    Memory memory;
    it.program.fill(rank, 0, memory);
    if (buffer == Buffer::send) return static_cast<Bytes>(memory.send.size());
    if (buffer == Buffer::recv) return static_cast<Bytes>(memory.recv.size());
    return it.program.plans[static_cast<std::size_t>(rank)].scratch;
}

// An element up, or down where the buffer ends. Buffers of blocks have no offsets, signals no data.
Mutants wrong_offsets(const test::Case& it) {
    return test::for_each_step(
        it.program.plans, "wrong offset", [&it](int rank, const Step& step, const auto& found) {
            const auto copies = it.program.plans[static_cast<std::size_t>(rank)].copies_of(step);
            if (is_idle(it.problems[static_cast<std::size_t>(rank)], step)) return;
            const auto shift = [&](Span Step::*side, const char* name) {
                const Span& span = step.*side;
                if (is_blocks(span.buffer) || step.bytes == 0) return;
                Bytes by = it.problems[0].shape.grain, reach = step.bytes;
                each_copy(step, copies, [&](const Copy& copy) {
                    reach =
                        std::max(reach, (side == &Step::from ? copy.from : copy.to) + copy.bytes);
                });
                if (span.offset + reach + by > buffer_size(it, rank, span.buffer)) by = -by;
                if (span.offset + by >= 0)
                    found(name, [side, by](Step& s) { (s.*side).offset += by; });
            };
            if (step.action != Action::recv) shift(&Step::from, ", from");
            if (step.action != Action::send) shift(&Step::to, ", to");
        });
}

// An order of combination that time decides is an error too, though the sum is right.
bool is_wrong(const Simulator::Program& program, const test::Results& expected,
              std::uint64_t seed) {
    return !Simulator(program, seed).run().empty() || test::results(program, seed) != expected;
}

bool caught(const test::Case& it, const Mutant& mutant, const test::Results& expected) {
    constexpr int seeds = 20'000;
    Simulator::Program program = it.program;
    mutant.damage(program.plans[static_cast<std::size_t>(mutant.rank)]);
    for (std::uint64_t seed = 0; seed < seeds; ++seed)
        if (is_wrong(program, expected, seed)) return true;
    return false;
}

bool applies(const Solver& solver, const test::Variant& variant) {
    return solver.applicable(test::make(solver.kind, variant).problems[0].shape);
}

// As many shapes for every solver, made simpler where it does not apply.
std::vector<test::Variant> variants(const Solver& solver) {
    std::vector<test::Variant> all{
        {.ranks = 4, .count = 11},
        {.ranks = 6, .root = 1, .count = 11, .in_place = true},
        {.ranks = 5, .root = 4, .count = 11, .regular = false, .commutative = false},
        {.ranks = 3, .root = 2, .count = 4, .staged = true},
    };
    for (test::Variant& v : all) {
        if (solver.kind == Kind::bcast || solver.kind == Kind::neighbor ||
            solver.kind == Kind::group_reduce)
            v.in_place = false;
        // At other counts dissemination hears from some ranks twice, so that an edge may be lost.
        if (solver.kind == Kind::barrier) v.ranks = 4;
        if (!applies(solver, v)) v.regular = v.commutative = true;
        if (!applies(solver, v)) v.ranks = 4, v.root = 0;
        if (!applies(solver, v)) v.count = 5; // nodes that follow each other
        REQUIRE(applies(solver, v));
    }
    return all;
}

test::Case planned(const Solver& solver, const test::Variant& variant) {
    test::Case it = test::make(solver.kind, variant);
    for (const Problem& problem : it.problems)
        it.program.plans.push_back(build(solver, problem, Model{}));
    it.program.rounds = 2;
    return it;
}

// Some of the mutants of a plan, always the same ones. The undamaged plan must pass.
void hunt(const test::Case& it, const Faults& faults) {
    constexpr std::size_t enough = 200;
    const test::Results expected = test::results(it.program, 0);
    for (std::uint64_t seed = 0; seed < 20; ++seed) CHECK(!is_wrong(it.program, expected, seed));
    for (const Mutant& mutant : test::some_of(faults(it), enough)) {
        const auto rank = static_cast<std::size_t>(mutant.rank);
        INFO("rank " << rank << ": " << mutant.what);
        INFO(to_text(it.program.plans[rank], it.problems[rank]));
        CHECK(caught(it, mutant, expected));
    }
}

void hunt(const Faults& faults) {
    for (const Solver* solver : catalogue())
        for (const test::Variant& variant : variants(*solver)) {
            INFO(solver->name << ": " << test::describe(variant));
            hunt(planned(*solver, variant), faults);
        }
}

} // namespace

TEST_CASE("the simulator catches a dropped dependency") {
    hunt([](const test::Case& it) { return test::dropped_dependencies(it.program.plans); });
}

TEST_CASE("the simulator catches a message with the wrong tag") {
    hunt([](const test::Case& it) {
        return test::wrong_tags(it.program.plans, Builder::default_tags);
    });
}

TEST_CASE("the simulator catches a message to or from the wrong rank") {
    hunt([](const test::Case& it) { return test::wrong_peers(it.program.plans); });
}

TEST_CASE("the simulator catches an offset that is an element off") { hunt(wrong_offsets); }

TEST_CASE("the simulator catches a copy or a reduction that does nothing") { hunt(idle_steps); }
