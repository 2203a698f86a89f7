// SPDX-License-Identifier: BSD-3-Clause
//
// Does the simulator see what is wrong? One step of one rank's plan is damaged, and some random
// order must show it. What is not a mutant is said where it is left out, and why.
#include "cases.hpp"
#include "plan/planner.hpp"
#include "results.hpp"

#include <catch2/catch.hpp>

#include <algorithm>

using namespace mpix::plan;

namespace {

struct Mutant {
    std::string what;
    int rank;
    std::function<void(Plan&)> damage;
};

using Mutants = std::vector<Mutant>;
using Faults = Mutants (*)(const test::Case&);

bool is_message(const Step& step) { return step.action == Action::send || receives(step.action); }

// Every step of every rank, and what `add` finds wrong to do to it.
template<class Add>
Mutants for_each_step(const test::Case& it, const char* what, Add add) {
    Mutants mutants;
    for (std::size_t rank = 0; rank < it.program.plans.size(); ++rank)
        for (std::size_t id = 0; id < it.program.plans[rank].steps.size(); ++id) {
            const auto found = [&](const std::string& detail, std::function<void(Step&)> damage) {
                mutants.push_back({what + (" of step " + std::to_string(id)) + detail,
                                   static_cast<int>(rank),
                                   [id, damage](Plan& plan) { damage(plan.steps[id]); }});
            };
            add(static_cast<int>(rank), it.program.plans[rank].steps[id], found);
        }
    return mutants;
}

Mutants wrong_lanes(const test::Case& it) {
    return for_each_step(it, "wrong lane", [](int, const Step& step, const auto& found) {
        if (is_message(step))
            found("", [](Step& s) { s.lane = (s.lane + 1) % Builder::default_lanes; });
    });
}

Mutants wrong_peers(const test::Case& it) {
    const auto ranks = static_cast<int>(it.program.plans.size());
    return for_each_step(it, "wrong peer", [ranks](int, const Step& step, const auto& found) {
        if (is_message(step)) found("", [ranks](Step& s) { s.peer = (s.peer + 1) % ranks; });
    });
}

// Copies that nobody needs. In place, a rank's own block is at the start where a gather must leave
// it; and nobody wants the vector of the last rank of an exscan, dense or not.
bool is_idle(const Problem& problem, const Step& step) {
    if (step.action != Action::copy) return false;
    const Kind kind = problem.shape.kind;
    if (kind == Kind::exscan && problem.rank == problem.shape.ranks - 1)
        return step.from.room == Room::send_blocks;
    return (kind == Kind::gather || kind == Kind::allgather) &&
           Place{step.to.room, step.to.offset, step.bytes} == problem.send[0];
}

Mutants idle_steps(const test::Case& it) {
    return for_each_step(
        it, "nothing instead", [&it](int rank, const Step& step, const auto& found) {
            if (is_message(step) || is_idle(it.problems[static_cast<std::size_t>(rank)], step))
                return;
            found("", [](Step& s) { s.bytes = 0; });
        });
}

Bytes room_size(const test::Case& it, int rank, Room room) {
    Memory memory;
    it.program.fill(rank, 0, memory);
    if (room == Room::send) return static_cast<Bytes>(memory.send.size());
    if (room == Room::recv) return static_cast<Bytes>(memory.recv.size());
    return it.program.plans[static_cast<std::size_t>(rank)].scratch;
}

// An element up, or down where the room ends. Rooms of blocks have no offsets, signals no data.
Mutants wrong_offsets(const test::Case& it) {
    return for_each_step(it, "wrong offset", [&it](int rank, const Step& step, const auto& found) {
        if (is_idle(it.problems[static_cast<std::size_t>(rank)], step)) return;
        const auto shift = [&](Span Step::*side, const char* name) {
            const Span& span = step.*side;
            if (is_blocks(span.room) || step.bytes == 0) return;
            Bytes by = it.problems[0].shape.grain;
            if (span.offset + step.bytes + by > room_size(it, rank, span.room)) by = -by;
            if (span.offset + by >= 0) found(name, [side, by](Step& s) { (s.*side).offset += by; });
        };
        if (step.action != Action::recv) shift(&Step::from, ", from");
        if (step.action != Action::send) shift(&Step::to, ", to");
    });
}

// What must come before what, over all ranks: steps before their successors, and the end of a send
// before the end of its receive.
class Order {
  public:
    explicit Order(const std::vector<Plan>& plans);

    int number(std::size_t rank, StepId id) const { return first_[rank] + id; }

    // Whether `later` waits for `earlier` even without the edge between them. What comes from the
    // other ranks counts: a message that has gone round has left its buffer.
    bool implied(int earlier, int later) const;

  private:
    std::vector<int> first_; // the number of each rank's step 0
    std::vector<std::vector<int>> after_;
    std::vector<std::vector<int>> needs_;
};

Order::Order(const std::vector<Plan>& plans) {
    int count = 0;
    for (const Plan& plan : plans) {
        first_.push_back(count);
        count += static_cast<int>(plan.steps.size());
    }
    after_.resize(static_cast<std::size_t>(count));
    needs_.resize(static_cast<std::size_t>(count));
    std::map<std::tuple<int, int, int>, std::array<std::vector<int>, 2>> channels;
    for (std::size_t rank = 0; rank < plans.size(); ++rank)
        for (std::size_t i = 0; i < plans[rank].steps.size(); ++i) {
            const Step& step = plans[rank].steps[i];
            const int self = number(rank, static_cast<StepId>(i));
            for (const StepId next : plans[rank].after(step)) {
                after_[static_cast<std::size_t>(self)].push_back(number(rank, next));
                needs_[static_cast<std::size_t>(number(rank, next))].push_back(self);
            }
            const int r = static_cast<int>(rank);
            if (step.action == Action::send) channels[{r, step.peer, step.lane}][0].push_back(self);
            if (receives(step.action)) channels[{step.peer, r, step.lane}][1].push_back(self);
        }
    for (const auto& [key, ends] : channels)
        for (std::size_t k = 0; k < ends[0].size(); ++k)
            after_[static_cast<std::size_t>(ends[0][k])].push_back(ends[1][k]);
}

bool Order::implied(int earlier, int later) const {
    std::vector<bool> seen(after_.size());
    std::vector<int> open{earlier};
    while (!open.empty()) {
        const int at = open.back();
        open.pop_back();
        for (const int next : after_[static_cast<std::size_t>(at)]) {
            if (next == later || seen[static_cast<std::size_t>(next)]) continue;
            seen[static_cast<std::size_t>(next)] = true;
            open.push_back(next);
        }
    }
    const auto& needs = needs_[static_cast<std::size_t>(later)];
    return std::any_of(needs.begin(), needs.end(),
                       [&](int need) { return seen[static_cast<std::size_t>(need)]; });
}

bool overlap(const Span& a, Bytes a_bytes, const Span& b, Bytes b_bytes) {
    if (a.room != b.room) return false;
    if (is_blocks(a.room)) return a.offset == b.offset;
    return a.offset < b.offset + b_bytes && b.offset < a.offset + a_bytes;
}

std::vector<Span> read(const Step& step) {
    if (step.action == Action::recv) return {};
    return {step.from};
}

std::vector<Span> written(const Step& step) {
    if (step.action == Action::send) return {};
    if (step.action == Action::combine) return {step.to, step.stage};
    return {step.to};
}

// Whether the order of two steps matters. Where it does not, as after the fences that pace an
// alltoall, losing the edge harms nobody.
bool matters(const Step& a, const Step& b) {
    // What a barrier waits for is what arrives, not that its own signals have left.
    if (a.bytes == 0) return receives(a.action) && b.action == Action::send;
    if (is_message(a) && is_message(b) && receives(a.action) == receives(b.action) &&
        a.peer == b.peer && a.lane == b.lane)
        return true;
    const auto overlaps = [&](const std::vector<Span>& some, const std::vector<Span>& others) {
        for (const Span& one : some)
            for (const Span& other : others)
                if (overlap(one, a.bytes, other, b.bytes)) return true;
        return false;
    };
    return overlaps(written(a), read(b)) || overlaps(read(a), written(b)) ||
           overlaps(written(a), written(b));
}

void drop_edge(Plan& plan, StepId earlier, StepId later) {
    Step& from = plan.steps[static_cast<std::size_t>(earlier)];
    const auto begin = plan.edges.begin() + from.first_successor;
    const auto edge = std::find(begin, begin + from.successors, later);
    std::iter_swap(edge, begin + --from.successors);
    Step& to = plan.steps[static_cast<std::size_t>(later)];
    if (--to.needs > 0) return;
    // Nothing holds it back but the Start.
    to.needs = 1;
    Gate& start = plan.gates[0];
    const auto old = plan.after(start);
    std::vector<StepId> run(old.begin(), old.end());
    run.push_back(later);
    start = {static_cast<std::uint32_t>(plan.edges.size()), static_cast<std::uint32_t>(run.size())};
    plan.edges.insert(plan.edges.end(), run.begin(), run.end());
}

Mutants dropped_dependencies(const test::Case& it) {
    Mutants mutants;
    const Order order(it.program.plans);
    for (std::size_t rank = 0; rank < it.program.plans.size(); ++rank) {
        const Plan& plan = it.program.plans[rank];
        for (std::size_t i = 0; i < plan.steps.size(); ++i)
            for (const StepId later : plan.after(plan.steps[i])) {
                const auto earlier = static_cast<StepId>(i);
                if (!matters(plan.steps[i], plan.steps[static_cast<std::size_t>(later)])) continue;
                if (order.implied(order.number(rank, earlier), order.number(rank, later))) continue;
                mutants.push_back(
                    {"no edge from " + std::to_string(earlier) + " to " + std::to_string(later),
                     static_cast<int>(rank),
                     [=](Plan& damaged) { drop_edge(damaged, earlier, later); }});
            }
    }
    return mutants;
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
void hunt(const test::Case& it, Faults faults) {
    constexpr std::size_t enough = 200;
    const test::Results expected = test::results(it.program, 0);
    for (std::uint64_t seed = 0; seed < 20; ++seed) CHECK(!is_wrong(it.program, expected, seed));
    Mutants mutants = faults(it);
    std::shuffle(mutants.begin(), mutants.end(), std::mt19937_64(1));
    if (mutants.size() > enough) mutants.resize(enough);
    for (const Mutant& mutant : mutants) {
        const auto rank = static_cast<std::size_t>(mutant.rank);
        INFO("rank " << rank << ": " << mutant.what);
        INFO(to_text(it.program.plans[rank], it.problems[rank]));
        CHECK(caught(it, mutant, expected));
    }
}

void hunt(Faults faults) {
    for (const Solver* solver : catalogue())
        for (const test::Variant& variant : variants(*solver)) {
            INFO(solver->name << ": " << test::describe(variant));
            hunt(planned(*solver, variant), faults);
        }
}

} // namespace

TEST_CASE("the simulator catches a dropped dependency") { hunt(dropped_dependencies); }

TEST_CASE("the simulator catches a message on the wrong lane") { hunt(wrong_lanes); }

TEST_CASE("the simulator catches a message to or from the wrong rank") { hunt(wrong_peers); }

TEST_CASE("the simulator catches an offset that is an element off") { hunt(wrong_offsets); }

TEST_CASE("the simulator catches a copy or a reduction that does nothing") { hunt(idle_steps); }
