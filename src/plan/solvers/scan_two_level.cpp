// SPDX-License-Identifier: BSD-3-Clause
//
// Two-level scan: in each node, and what comes before the node in front of it.
#include "plan/solvers/node_prefix.hpp"

namespace mpix::plan::scan_two_level {
namespace {

bool applicable(const Shape& shape) { return has_levels_to_scan(shape); }

double cost(const Shape& shape, const Model& model) {
    return cost_of_part(shape_within(shape, Kind::scan), model) +
           cost_of_node_prefix(shape, model) + static_cast<double>(shape.total) * model.reduce_us;
}

void build(const Problem& problem, Builder& plan) {
    const Levels levels(problem, false);
    const Place& result = problem.recv[0];
    solve({.shape = shape_within(problem.shape, Kind::scan),
           .ranks = levels.mates(),
           .self = levels.self,
           .send = {problem.send[0]},
           .recv = {result}},
          plan);
    const Place before = node_prefix(problem, levels, result, plan);
    plan.reduce(before, result);
}

} // namespace

extern const Solver solver{"scan_two_level", Kind::scan, applicable, cost, build};

} // namespace mpix::plan::scan_two_level
