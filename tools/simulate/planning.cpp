// SPDX-License-Identifier: BSD-3-Clause
#include "planning.hpp"

#include "problems.hpp"

namespace mpix::simulate {

using plan::Plan;
using plan::Solver;

Planning::Planning(plan::Kind kind, const plan::Nodes& nodes, int ranks, plan::Bytes bytes,
                   const plan::Model& model)
    : kind_(kind), nodes_(nodes), ranks_(ranks), bytes_(bytes), network_(model),
      shape_(problem(0).shape), model_(shape_.one_node ? model.within(shape_.locality) : model) {
    model_.cutting = model.quickest_cutting();
}

const Solver& Planning::chosen() const {
    return *choose(shape_, model_, [](const Solver&) { return true; });
}

plan::Problem Planning::problem(int rank) const {
    return make_problem(kind_, nodes_, ranks_, rank, bytes_);
}

std::optional<std::vector<Plan>> Planning::plans(const Solver& solver) const {
    if (ranks_ > most_ranks) return std::nullopt;
    std::vector<Plan> plans;
    std::size_t steps = 0;
    for (int rank = 0; rank < ranks_ && steps < most_steps; ++rank) {
        plans.push_back(plan(solver, problem(rank)));
        steps += plans.back().steps.size();
    }
    return steps < most_steps ? std::optional(std::move(plans)) : std::nullopt;
}

} // namespace mpix::simulate
