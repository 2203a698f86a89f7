// SPDX-License-Identifier: BSD-3-Clause
//
// Two-level allreduce: each node combines its vectors at its leader, the leaders combine theirs,
// and each broadcasts the result in its node. R. Graham, G. Shipman, "MPI Support for Multi-core
// Architectures: Optimized Shared Memory Collectives", 2008.
#include "plan/solvers/levels.hpp"

#include <algorithm>

namespace mpix::plan::allreduce_two_level {
namespace {

bool applicable(const Shape& shape) { return has_levels_to_reduce(shape); }

double cost(const Shape& shape, const Model& model) {
    const Kind first = Kind::reduce;
    const Kind last = Kind::bcast;
    return cost_of_levels(shape, model, &first, Kind::allreduce, &last);
}

void build(const Problem& problem, Builder& plan) {
    const Shape& shape = problem.shape;
    const Levels levels(problem, false);
    const Place& result = problem.recv[0];
    const auto found = std::find(levels.mates.begin(), levels.mates.end(), problem.rank);
    const int self = static_cast<int>(found - levels.mates.begin());
    const int leader = levels.leader_in_node();
    solve_part(Kind::reduce, shape_within(shape, Kind::reduce), levels.mates, self, leader,
               problem.send[0], result, plan);
    if (levels.is_leader())
        solve_part(Kind::allreduce, shape_between(shape, Kind::allreduce), levels.leaders,
                   levels.node, 0, result, result, plan);
    solve_part(Kind::bcast, shape_within(shape, Kind::bcast), levels.mates, self, leader, result,
               result, plan);
}

} // namespace

extern const Solver solver{"allreduce_two_level", Kind::allreduce, applicable, cost, build};

} // namespace mpix::plan::allreduce_two_level
