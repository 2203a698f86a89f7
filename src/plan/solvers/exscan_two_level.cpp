// SPDX-License-Identifier: BSD-3-Clause
//
// Two-level exscan: in each node, and what comes before the node in front of it.
#include "plan/solvers/node_prefix.hpp"

namespace mpix::plan::exscan_two_level {
namespace {

bool applicable(const Shape& shape) { return has_levels_to_scan(shape); }

double cost(const Shape& shape, const Model& model) {
    return cost_of_part(shape_within(shape, Kind::exscan), model) +
           cost_of_node_prefix(shape, model) +
           2 * static_cast<double>(shape.total) * model.reduce_us;
}

void build(const Problem& problem, Builder& plan) {
    const Levels levels(problem, false);
    const Place& result = problem.recv[0];
    const bool passes_on = levels.rank == levels.mates().back() && levels.node + 1 < levels.nodes();
    const Place sum = passes_on ? plan.scratch(problem.send[0].bytes) : Place{};
    if (passes_on) plan.copy(problem.send[0], sum);
    if (levels.mates().size() > 1)
        solve({.shape = shape_within(problem.shape, Kind::exscan),
               .ranks = levels.mates(),
               .self = levels.self,
               .send = {problem.send[0]},
               .recv = {result}},
              plan);
    if (passes_on && levels.self > 0) plan.reduce(result, sum);
    const Place before = node_prefix(problem, levels, sum, plan);
    if (levels.self == 0)
        plan.copy(before, result);
    else
        plan.reduce(before, result);
}

} // namespace

extern const Solver solver{"exscan_two_level", Kind::exscan, applicable, cost, build};

} // namespace mpix::plan::exscan_two_level
