// SPDX-License-Identifier: BSD-3-Clause
//
// Two-level broadcast: from the root to the leaders of the nodes, and from each to its node.
// R. Graham, G. Shipman, "MPI Support for Multi-core Architectures: Optimized Shared Memory
// Collectives", 2008.
#include "plan/solvers/levels.hpp"

namespace mpix::plan::bcast_two_level {
namespace {

bool applicable(const Shape& shape) { return has_levels(shape); }

double cost(const Shape& shape, const Model& model) {
    return cost_of_part(shape_between(shape, Kind::bcast), model) +
           cost_of_part(shape_within(shape, Kind::bcast), model);
}

void build(const Problem& problem, Builder& plan) {
    const Shape& shape = problem.shape;
    const Levels levels(problem, true);
    const Place& data = problem.rank == shape.root ? problem.send[0] : problem.recv[0];
    const int root_node = shape.nodes.of(shape.root);
    if (levels.is_leader())
        solve({.shape = shape_between(shape, Kind::bcast),
               .ranks = levels.leaders,
               .self = levels.node,
               .root = root_node,
               .send = {data},
               .recv = {data}},
              plan);
    solve({.shape = shape_within(shape, Kind::bcast),
           .ranks = levels.mates(),
           .self = levels.self,
           .root = levels.leader_in_node(),
           .send = {data},
           .recv = {data}},
          plan);
}

} // namespace

extern const Solver solver{.name = "bcast_two_level",
                           .kind = Kind::bcast,
                           .applicable = applicable,
                           .cost = cost,
                           .build = build,
                           .repeats_among_leaders = true};

} // namespace mpix::plan::bcast_two_level
