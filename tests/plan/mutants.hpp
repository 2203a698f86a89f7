// SPDX-License-Identifier: BSD-3-Clause
//
// Damage to plans, that random orders must show.
#pragma once

#include "plan/plan.hpp"

#include <functional>
#include <string>

namespace mpix::plan::test {

struct Mutant {
    std::string what;
    int rank;
    std::function<void(Plan&)> damage;
    int partition = -1; // that it is about
};

using Mutants = std::vector<Mutant>;

bool is_message(const Step& step);
// What only stands between others.
bool joins(const Step& step);

// Every step of every rank, and what `add` finds wrong to do to it.
template<class Add>
Mutants for_each_step(const std::vector<Plan>& plans, const char* what, Add add) {
    Mutants mutants;
    for (std::size_t rank = 0; rank < plans.size(); ++rank)
        for (std::size_t id = 0; id < plans[rank].steps.size(); ++id) {
            const auto found = [&](const std::string& detail, std::function<void(Step&)> damage) {
                mutants.push_back({what + (" of step " + std::to_string(id)) + detail,
                                   static_cast<int>(rank),
                                   [id, damage](Plan& plan) { damage(plan.steps[id]); }});
            };
            add(static_cast<int>(rank), plans[rank].steps[id], found);
        }
    return mutants;
}

Mutants wrong_tags(const std::vector<Plan>& plans, std::int32_t tags);
Mutants wrong_peers(const std::vector<Plan>& plans);
// A step waits no longer for another, where that matters.
Mutants dropped_dependencies(const std::vector<Plan>& plans);
// A step waits for another partition than its own, or if there is none for Start alone.
Mutants wrong_gates(const std::vector<Plan>& plans);

// Adds a step to what waits for a gate.
void hold_back(Plan& plan, std::size_t gate, StepId later);

// Some of them, always the same ones.
Mutants some_of(Mutants mutants, std::size_t enough);

} // namespace mpix::plan::test
