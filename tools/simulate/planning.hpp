// SPDX-License-Identifier: BSD-3-Clause
//
// One operation on one machine: the plans of its ranks, and what they take.
#pragma once

#include "plan/clock.hpp"
#include "plan/planner.hpp"

#include <optional>
#include <vector>

namespace mpix::simulate {

class Planning {
  public:
    static constexpr int most_ranks = 4096; // that are simulated
    static constexpr std::size_t most_steps = 8 << 20;

    // The nodes must outlive it.
    Planning(plan::Kind kind, const plan::Nodes& nodes, int ranks, plan::Bytes bytes,
             const plan::Model& model);

    const plan::Shape& shape() const { return shape_; }
    const plan::Solver& chosen() const;
    plan::Problem problem(int rank) const;
    plan::Plan plan(const plan::Solver& solver, const plan::Problem& problem) const {
        return build(solver, problem, model_);
    }
    // Of all ranks; nothing if there are too many of them, or of their steps.
    std::optional<std::vector<plan::Plan>> plans(const plan::Solver& solver) const;
    std::optional<plan::Simulated> simulated(const std::vector<plan::Plan>& plans,
                                             plan::Timeline* timeline = nullptr) const {
        return plan::simulate(plans, nodes_, network_, timeline);
    }

  private:
    plan::Kind kind_;
    const plan::Nodes& nodes_;
    int ranks_;
    plan::Bytes bytes_;
    plan::Model network_;
    plan::Shape shape_;
    plan::Model model_; // as those ranks see it
};

} // namespace mpix::simulate
