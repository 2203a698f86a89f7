// SPDX-License-Identifier: BSD-3-Clause
//
// Two-level broadcast: from the root to the leaders of the nodes, and from each to its node.
// R. Graham, G. Shipman, "MPI Support for Multi-core Architectures: Optimized Shared Memory
// Collectives", 2008.
#include "plan/solvers/levels.hpp"

#include <algorithm>

namespace mpix::plan::bcast_two_level {
namespace {

bool applicable(const Shape& shape) { return has_levels(shape); }

double cost(const Shape& shape, const Model& model) {
    const Kind within = Kind::bcast;
    return cost_of_levels(shape, model, nullptr, Kind::bcast, &within);
}

void build(const Problem& problem, Builder& plan) {
    const Shape& shape = problem.shape;
    const Levels levels(problem, true);
    const Place& data = problem.rank == shape.root ? problem.send[0] : problem.recv[0];
    const int root_node = shape.nodes[static_cast<std::size_t>(shape.root)];
    if (levels.is_leader())
        solve_part(Kind::bcast, shape_between(shape, Kind::bcast), levels.leaders, levels.node,
                   root_node, data, data, plan);
    const auto self = std::find(levels.mates.begin(), levels.mates.end(), problem.rank);
    solve_part(Kind::bcast, shape_within(shape, Kind::bcast), levels.mates,
               static_cast<int>(self - levels.mates.begin()), levels.leader_in_node(), data, data,
               plan);
}

} // namespace

extern const Solver solver{"bcast_two_level", Kind::bcast, applicable, cost, build};

} // namespace mpix::plan::bcast_two_level
