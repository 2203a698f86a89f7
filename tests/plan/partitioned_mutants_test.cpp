// SPDX-License-Identifier: BSD-3-Clause
//
// Does the simulator see what is wrong in a partitioned plan? One rank's plan is damaged, and some
// random order must show it, in which one partition or another is held back.
#include "catch2.hpp"
#include "mutants.hpp"
#include "order.hpp"
#include "partitioned_cases.hpp"

using namespace mpix::plan;
using test::Mutant;
using test::Mutants;

namespace {

using PartitionedFaults = std::function<Mutants(const test::PartitionedCase&)>;

// Holds one after another back, or at last none.
bool is_wrong(const test::PartitionedCase& it, const std::vector<test::Mark>& marks,
              std::uint64_t seed) {
    test::Held held;
    if (const std::size_t next = seed % (marks.size() + 1); next < marks.size())
        held = {marks[next]};
    return !Simulator(it.program(held), seed).run().empty();
}

bool caught(test::PartitionedCase it, const Mutant& mutant) {
    constexpr std::uint64_t seeds = 2'000;
    std::vector<test::Mark> marks = it.marks();
    if (mutant.partition >= 0) marks.insert(marks.begin(), {mutant.rank, mutant.partition});
    mutant.damage(it.plans[static_cast<std::size_t>(mutant.rank)]);
    for (std::uint64_t seed = 0; seed < seeds; ++seed)
        if (is_wrong(it, marks, seed)) return true;
    return false;
}

void hunt(const test::PartitionedCase& it, const PartitionedFaults& faults) {
    const std::size_t enough = it.in_fragments ? 10 : 30;
    for (std::uint64_t seed = 0; seed < 5; ++seed) REQUIRE(!is_wrong(it, it.marks(), seed));
    for (const Mutant& mutant : test::some_of(faults(it), enough)) {
        const auto rank = static_cast<std::size_t>(mutant.rank);
        INFO("rank " << rank << ": " << mutant.what);
        INFO(to_text(it.plans[rank], it.definition->problems[rank].whole));
        CHECK(caught(it, mutant));
    }
}

// Where bytes are in two partitions, or messages share tags, some mutants do no harm.
void hunt(const PartitionedFaults& faults, bool in_fragments = false) {
    for (const Kind kind :
         {Kind::bcast, Kind::gather, Kind::scatter, Kind::allgather, Kind::alltoall, Kind::neighbor,
          Kind::reduce, Kind::allreduce, Kind::reduce_scatter, Kind::scan, Kind::exscan})
        for (std::uint64_t seed = 0; seed < 8; ++seed) {
            test::Parted parted = test::some_parted(kind, 3 + static_cast<int>(seed % 3), seed);
            parted.overlaps = parted.shares_tags = false;
            parted.in_fragments = in_fragments;
            INFO(test::describe(parted));
            hunt(test::make(parted), faults);
        }
}

// Whether some arrival follows that has nothing to do with the partition.
bool concerns_others(const test::PartitionedCase& it, const test::Order& order, int step,
                     test::Mark mark) {
    std::vector<bool> follows = order.after(step);
    follows[static_cast<std::size_t>(step)] = true;
    for (std::size_t rank = 0; rank < it.plans.size(); ++rank)
        for (std::size_t i = 0; i < it.plans[rank].steps.size(); ++i) {
            const Step& arrival = it.plans[rank].steps[i];
            const int number = order.step(rank, static_cast<StepId>(i));
            if (arrival.action == Action::arrive && follows[static_cast<std::size_t>(number)] &&
                !it.definition->waits(mark, static_cast<int>(rank), arrival.number))
                return true;
        }
    return false;
}

// Of all steps one for each partition, another each time.
Mutants needless_gates(const test::PartitionedCase& it) {
    Mutants mutants;
    const test::Order order(it.plans);
    for (const test::Mark& mark : it.marks()) {
        const auto rank = static_cast<std::size_t>(mark.rank);
        const auto gate = static_cast<std::size_t>(mark.partition) + 1;
        const auto steps = it.plans[rank].steps.size();
        if (steps == 0) continue;
        const auto id = static_cast<StepId>(7 * gate % steps);
        if (!concerns_others(it, order, order.step(rank, id), mark)) continue;
        mutants.push_back(
            {"gate " + std::to_string(gate) + " holds back step " + std::to_string(id), mark.rank,
             [=](Plan& damaged) { test::hold_back(damaged, gate, id); }, mark.partition});
    }
    return mutants;
}

// A message begins a byte late, or is two, or is none of its own.
std::vector<std::vector<Bytes>> wrong_cuts(const Segment& segment) {
    const std::vector<Bytes>& right = segment.cuts;
    std::vector<std::vector<Bytes>> wrong;
    if (right.empty() || segment.bytes() < 2) return wrong;
    if (right.size() > 1) {
        wrong.push_back(right);
        wrong.back()[1] += 1;
        wrong.push_back(right);
        wrong.back().pop_back();
    }
    const Bytes last = segment.bytes() - right.back();
    if (last < 2) return wrong;
    wrong.push_back(right);
    wrong.back().push_back(right.back() + last / 2);
    return wrong;
}

// On one end. What a rank sends to itself has one end only.
Mutants wrong_cuts(const test::PartitionedCase& it) {
    Mutants mutants;
    for (const Partitioned& problem : it.definition->problems)
        for (const auto side : {&Partitioned::send, &Partitioned::recv})
            for (std::size_t i = 0; i < (problem.*side).size(); ++i) {
                const int self = problem.whole.rank;
                const auto& peers = (problem.*side)[i].peers;
                if (std::ranges::count(peers, self) == std::ssize(peers)) continue;
                for (const auto& cuts : wrong_cuts((problem.*side)[i])) {
                    Partitioned wrong = problem;
                    (wrong.*side)[i].cuts = cuts;
                    mutants.push_back(
                        {"wrong cuts of segment " + std::to_string(i), self,
                         [wrong, &it](Plan& damaged) { damaged = build(wrong, it.model); }});
                }
            }
    return mutants;
}

// A gate lets another part of a step begin than its own. An arrival shows only its last byte.
Mutants wrong_places(const test::PartitionedCase& it) {
    Mutants mutants;
    const test::Order order(it.plans);
    for (const test::Mark& mark : it.marks()) {
        const auto rank = static_cast<std::size_t>(mark.rank);
        const auto gate = static_cast<std::size_t>(mark.partition) + 1;
        const Plan& plan = it.plans[rank];
        const Bytes grain = it.definition->problems[rank].whole.shape.grain;
        const Place& place = plan.gates[gate].place;
        if (is_blocks(place.buffer) || place.buffer == Buffer::nothing || place.bytes <= grain)
            continue;
        const auto shows = [&](StepId id) {
            const Step& step = plan.steps[static_cast<std::size_t>(id)];
            const bool is_divisible =
                step.peer >= 0 ? step.may_fragment : !is_blocks(step.to.buffer);
            const Bytes begin = step.action == Action::copy ? step.from.offset : step.to.offset;
            return is_divisible && step.action != Action::arrive && begin <= place.offset &&
                   !order.implied(order.gate(rank, gate), order.step(rank, id));
        };
        if (!std::ranges::any_of(plan.after(plan.gates[gate]), shows)) continue;
        mutants.push_back({"wrong place of gate " + std::to_string(gate), mark.rank,
                           [=](Plan& damaged) { damaged.gates[gate].place.offset += grain; },
                           mark.partition});
    }
    return mutants;
}

} // namespace

TEST_CASE("a step of a partitioned plan that loses a dependency is caught") {
    hunt([](const test::PartitionedCase& it) { return test::dropped_dependencies(it.plans); });
}

TEST_CASE("a step that waits for another partition than its own is caught") {
    hunt([](const test::PartitionedCase& it) { return test::wrong_gates(it.plans); });
}

TEST_CASE("a step that waits for a partition it has nothing to do with is caught") {
    hunt(needless_gates);
}

TEST_CASE("a message of a partitioned plan with the wrong tag is caught") {
    hunt([](const test::PartitionedCase& it) {
        return test::wrong_tags(it.plans, it.definition->problems[0].tags + 1);
    });
}

TEST_CASE("a segment that is cut otherwise on one end is caught") {
    hunt([](const test::PartitionedCase& it) { return wrong_cuts(it); });
}

TEST_CASE("in fragments a step that loses a dependency is caught") {
    hunt([](const test::PartitionedCase& it) { return test::dropped_dependencies(it.plans); },
         true);
}

TEST_CASE("in fragments a step that waits for another partition than its own is caught") {
    hunt([](const test::PartitionedCase& it) { return test::wrong_gates(it.plans); }, true);
}

TEST_CASE("in fragments a partition that lets other bytes begin than its own is caught") {
    hunt(wrong_places, true);
}
