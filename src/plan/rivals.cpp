// SPDX-License-Identifier: BSD-3-Clause
//
// What races with a plan, and how both are one.
#include "plan/rivals.hpp"

#include "plan/solvers/levels.hpp"

#include <algorithm>

namespace mpix::plan {

void add_rival(Plan& plan, const Plan& rival) {
    const auto first_step = static_cast<StepId>(plan.steps.size());
    const auto first_edge = static_cast<std::uint32_t>(plan.edges.size());
    const auto first_copy = static_cast<std::int32_t>(plan.copies.size());
    for (Step step : rival.steps) {
        step.first_successor += first_edge;
        if (step.copies > 0) step.number += first_copy;
        plan.steps.push_back(step);
    }
    for (const StepId to : rival.edges) plan.edges.push_back(first_step + to);
    plan.copies.insert(plan.copies.end(), rival.copies.begin(), rival.copies.end());
    Gate start = rival.gates[0];
    start.first_successor += first_edge;
    plan.rivals.push_back(
        {rival.solver, {first_step, static_cast<StepId>(plan.steps.size())}, start});
    plan.scratch = std::max(plan.scratch, rival.scratch);
}

// What costs the same is mostly the same plan by another name, as on two ranks. Where one overlaps
// rounds, which is not in its cost, and the chosen one does not, that is the one to try. Of what a
// plan of levels does among its leaders little more is learnt by doing it among all.
const Solver* find_rival(const Solver& chosen, const Shape& shape, const Model& model) {
    constexpr double near = 2; // as far as the model may be wrong
    constexpr double gained_by_overlap = 2;
    const double least = cost(chosen, shape, model);
    const auto next = [&](double most, const Allowed& allowed) {
        const Solver* const found = choose(shape, model, [&](const Solver& solver) {
            return &solver != &chosen && cost(solver, shape, model) != least && allowed(solver);
        });
        return found && cost(*found, shape, model) <= most ? found : nullptr;
    };
    const Solver* found = nullptr;
    if (!chosen.overlaps)
        found = next(gained_by_overlap * near * least,
                     [](const Solver& solver) { return solver.overlaps; });
    if (!found && chosen.repeats_among_leaders) {
        const Solver& of_leaders = among_leaders(shape, model);
        found = next(near * least, [&](const Solver& solver) { return &solver != &of_leaders; });
    }
    return found ? found : next(near * least, [](const Solver&) { return true; });
}

} // namespace mpix::plan
