// SPDX-License-Identifier: BSD-3-Clause
//
// Two-level reduce: each node combines its vectors at its leader, and the leaders theirs at the
// root. R. Graham, G. Shipman, "MPI Support for Multi-core Architectures: Optimized Shared Memory
// Collectives", 2008.
#include "plan/solvers/levels.hpp"

#include <algorithm>

namespace mpix::plan::reduce_two_level {
namespace {

bool applicable(const Shape& shape) { return has_levels_to_reduce(shape); }

double cost(const Shape& shape, const Model& model) {
    const Kind first = Kind::reduce;
    return cost_of_levels(shape, model, &first, Kind::reduce, nullptr);
}

void build(const Problem& problem, Builder& plan) {
    const Shape& shape = problem.shape;
    const Levels levels(problem, true);
    const Place& own = problem.send[0];
    const bool is_root = problem.rank == shape.root;
    const Place sum = is_root              ? problem.recv[0]
                      : levels.is_leader() ? plan.scratch(own.bytes)
                                           : own;
    const auto self = std::find(levels.mates.begin(), levels.mates.end(), problem.rank);
    solve_part(Kind::reduce, shape_within(shape, Kind::reduce), levels.mates,
               static_cast<int>(self - levels.mates.begin()), levels.leader_in_node(), own, sum,
               plan);
    if (levels.is_leader())
        solve_part(Kind::reduce, shape_between(shape, Kind::reduce), levels.leaders, levels.node,
                   shape.nodes[static_cast<std::size_t>(shape.root)], sum, sum, plan);
}

} // namespace

extern const Solver solver{"reduce_two_level", Kind::reduce, applicable, cost, build};

} // namespace mpix::plan::reduce_two_level
