// SPDX-License-Identifier: BSD-3-Clause
//
// Two-level reduce: each node combines its vectors at its leader, and the leaders theirs at the
// root. R. Graham, G. Shipman, "MPI Support for Multi-core Architectures: Optimized Shared Memory
// Collectives", 2008.
#include "plan/solvers/levels.hpp"

namespace mpix::plan::reduce_two_level {
namespace {

bool applicable(const Shape& shape) { return has_levels_to_reduce(shape); }

double cost(const Shape& shape, const Model& model) {
    return cost_of_part(shape_within(shape, Kind::reduce), model) +
           cost_of_part(shape_between(shape, Kind::reduce), model);
}

void build(const Problem& problem, Builder& plan) {
    const Shape& shape = problem.shape;
    const Levels levels(problem, true);
    const Place& own = problem.send[0];
    const bool is_root = problem.rank == shape.root;
    const Place sum = is_root              ? problem.recv[0]
                      : levels.is_leader() ? plan.scratch(own.bytes)
                                           : own;
    solve({.shape = shape_within(shape, Kind::reduce),
           .ranks = levels.mates(),
           .self = levels.self,
           .root = levels.leader_in_node(),
           .send = {own},
           .recv = {sum}},
          plan);
    if (levels.is_leader())
        solve({.shape = shape_between(shape, Kind::reduce),
               .ranks = levels.leaders,
               .self = levels.node,
               .root = shape.nodes.of(shape.root),
               .send = {sum},
               .recv = {sum}},
              plan);
}

} // namespace

extern const Solver solver{.name = "reduce_two_level",
                           .kind = Kind::reduce,
                           .applicable = applicable,
                           .cost = cost,
                           .build = build,
                           .repeats_among_leaders = true};

} // namespace mpix::plan::reduce_two_level
