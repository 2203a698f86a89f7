// SPDX-License-Identifier: BSD-3-Clause
//
// Two-level barrier: the ranks of a node signal its leader, the leaders have a barrier, and each
// releases its node. R. Graham, G. Shipman, "MPI Support for Multi-core Architectures: Optimized
// Shared Memory Collectives", 2008.
#include "plan/solvers/levels.hpp"

namespace mpix::plan::barrier_two_level {
namespace {

bool applicable(const Shape& shape) { return has_levels(shape); }

double cost(const Shape& shape, const Model& model) {
    return 2 * cost_of_part(shape_within(shape, Kind::barrier), model) +
           cost_of_part(shape_between(shape, Kind::barrier), model);
}

void build(const Problem& problem, Builder& plan) {
    const Levels levels(problem, false);
    const int leader = levels.leader();
    if (!levels.is_leader()) {
        plan.signal(leader);
        plan.await(leader);
        return;
    }
    for (const int mate : levels.mates())
        if (mate != leader) plan.await(mate);
    plan.fence();
    solve({.shape = shape_between(problem.shape, Kind::barrier),
           .ranks = levels.leaders,
           .self = levels.node},
          plan);
    plan.fence();
    for (const int mate : levels.mates())
        if (mate != leader) plan.signal(mate);
}

} // namespace

extern const Solver solver{"barrier_two_level", Kind::barrier, applicable, cost, build};

} // namespace mpix::plan::barrier_two_level
