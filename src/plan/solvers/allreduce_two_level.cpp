// SPDX-License-Identifier: BSD-3-Clause
//
// Two-level allreduce: each node combines its vectors at its leader, the leaders combine theirs,
// and each broadcasts the result in its node. R. Graham, G. Shipman, "MPI Support for Multi-core
// Architectures: Optimized Shared Memory Collectives", 2008.
#include "plan/solvers/levels.hpp"

namespace mpix::plan::allreduce_two_level {
namespace {

bool applicable(const Shape& shape) { return has_levels_to_reduce(shape); }

double cost(const Shape& shape, const Model& model) {
    return cost_of_part(shape_within(shape, Kind::reduce), model) +
           cost_of_part(shape_between(shape, Kind::allreduce), model) +
           cost_of_part(shape_within(shape, Kind::bcast), model);
}

void build(const Problem& problem, Builder& plan) {
    const Shape& shape = problem.shape;
    const Levels levels(problem, false);
    const Place& result = problem.recv[0];
    const int leader = levels.leader_in_node();
    solve({.shape = shape_within(shape, Kind::reduce),
           .ranks = levels.mates(),
           .self = levels.self,
           .root = leader,
           .send = {problem.send[0]},
           .recv = {result}},
          plan);
    if (levels.is_leader())
        solve({.shape = shape_between(shape, Kind::allreduce),
               .ranks = levels.leaders,
               .self = levels.node,
               .send = {result},
               .recv = {result}},
              plan);
    solve({.shape = shape_within(shape, Kind::bcast),
           .ranks = levels.mates(),
           .self = levels.self,
           .root = leader,
           .send = {result},
           .recv = {result}},
          plan);
}

} // namespace

extern const Solver solver{.name = "allreduce_two_level",
                           .kind = Kind::allreduce,
                           .applicable = applicable,
                           .cost = cost,
                           .build = build,
                           .repeats_among_leaders = true};

} // namespace mpix::plan::allreduce_two_level
