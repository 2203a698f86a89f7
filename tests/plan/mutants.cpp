// SPDX-License-Identifier: BSD-3-Clause
//
// What is not a mutant is said where it is left out, and why.
#include "mutants.hpp"

#include "order.hpp"
#include "plan/accesses.hpp"

#include <algorithm>
#include <random>

namespace mpix::plan::test {
namespace {

// Whether the order of two steps matters. Where it does not, as after the fences that pace an
// alltoall, losing the edge harms nobody.
bool matters(const Plan& plan, const Step& a, const Step& b) {
    // What a barrier waits for is what arrives, not that its own signals have left.
    if (a.bytes == 0)
        return (receives(a.action) || joins(a)) &&
               (b.action == Action::send || b.action == Action::arrive || joins(b));
    if (is_message(a) && is_message(b) && receives(a.action) == receives(b.action) &&
        a.peer == b.peer && a.tag_offset == b.tag_offset)
        return true;
    for (const Access& one : accesses(a, plan.copies_of(a)))
        for (const Access& other : accesses(b, plan.copies_of(b)))
            if (conflict(one, other)) return true;
    return false;
}

// Takes a step from what waits for another, or for a gate.
template<class Source>
void release(Plan& plan, Source& source, StepId later) {
    const auto begin = plan.edges.begin() + source.first_successor;
    const auto edge = std::find(begin, begin + source.successors, later);
    std::iter_swap(edge, begin + --source.successors);
    Step& step = plan.steps[static_cast<std::size_t>(later)];
    // It begins at Start, if nothing else holds it back.
    if (--step.needs == 0) hold_back(plan, 0, later);
}

} // namespace

bool joins(const Step& step) {
    return step.action == Action::copy && step.bytes == 0 && step.to.buffer != Buffer::nothing;
}

bool is_message(const Step& step) { return step.action == Action::send || receives(step.action); }

Mutants wrong_tags(const std::vector<Plan>& plans, std::int32_t tags) {
    return for_each_step(plans, "wrong tag", [tags](int, const Step& step, const auto& found) {
        if (is_message(step))
            found("", [tags](Step& s) { s.tag_offset = (s.tag_offset + 1) % tags; });
    });
}

Mutants wrong_peers(const std::vector<Plan>& plans) {
    const auto ranks = static_cast<int>(plans.size());
    return for_each_step(plans, "wrong peer", [ranks](int, const Step& step, const auto& found) {
        if (is_message(step)) found("", [ranks](Step& s) { s.peer = (s.peer + 1) % ranks; });
    });
}

Mutants dropped_dependencies(const std::vector<Plan>& plans) {
    Mutants mutants;
    const Order order(plans);
    for (std::size_t rank = 0; rank < plans.size(); ++rank) {
        const Plan& plan = plans[rank];
        for (std::size_t i = 0; i < plan.steps.size(); ++i)
            for (const StepId later : plan.after(plan.steps[i])) {
                const auto earlier = static_cast<StepId>(i);
                if (!matters(plan, plan.steps[i], plan.steps[static_cast<std::size_t>(later)]))
                    continue;
                if (order.implied(order.step(rank, earlier), order.step(rank, later))) continue;
                mutants.push_back(
                    {"no edge from " + std::to_string(earlier) + " to " + std::to_string(later),
                     static_cast<int>(rank), [=](Plan& damaged) {
                         release(damaged, damaged.steps[static_cast<std::size_t>(earlier)], later);
                     }});
            }
    }
    return mutants;
}

Mutants wrong_gates(const std::vector<Plan>& plans) {
    Mutants mutants;
    const Order order(plans);
    for (std::size_t rank = 0; rank < plans.size(); ++rank) {
        const Plan& plan = plans[rank];
        const std::size_t partitions = plan.partitions();
        for (std::size_t gate = 1; gate <= partitions; ++gate)
            for (const StepId later : plan.after(plan.gates[gate])) {
                if (order.implied(order.gate(rank, gate), order.step(rank, later))) continue;
                // What the last rank of an exscan has is for nobody.
                const Step& step = plan.steps[static_cast<std::size_t>(later)];
                if (step.action == Action::copy && step.bytes == 0 && step.successors == 0)
                    continue;
                const std::size_t other = partitions == 1 ? 0 : gate % partitions + 1;
                mutants.push_back({"step " + std::to_string(later) + " at gate " +
                                       std::to_string(other) + " and not " + std::to_string(gate),
                                   static_cast<int>(rank),
                                   [=](Plan& damaged) {
                                       hold_back(damaged, other, later);
                                       release(damaged, damaged.gates[gate], later);
                                   },
                                   static_cast<int>(gate) - 1});
            }
    }
    return mutants;
}

void hold_back(Plan& plan, std::size_t gate, StepId later) {
    Gate& opens = plan.gates[gate];
    const auto old = plan.after(opens);
    std::vector<StepId> run(old.begin(), old.end());
    run.push_back(later);
    opens = {static_cast<std::uint32_t>(plan.edges.size()), static_cast<std::uint32_t>(run.size())};
    plan.edges.insert(plan.edges.end(), run.begin(), run.end());
    ++plan.steps[static_cast<std::size_t>(later)].needs;
}

Mutants some_of(Mutants mutants, std::size_t enough) {
    std::shuffle(mutants.begin(), mutants.end(), std::mt19937_64(1));
    if (mutants.size() > enough) mutants.resize(enough);
    return mutants;
}

} // namespace mpix::plan::test
