// SPDX-License-Identifier: BSD-3-Clause
//
// Two-level barrier: what says that they are there is combined at the leader of each node, the
// leaders have a barrier, and each broadcasts that in its node. R. Graham, G. Shipman, "MPI Support
// for Multi-core Architectures: Optimized Shared Memory Collectives", 2008.
#include "plan/solvers/levels.hpp"

namespace mpix::plan::barrier_two_level {
namespace {

bool applicable(const Shape& shape) { return has_levels(shape); }

// Of words without memory.
Shape within(const Shape& shape, Kind kind) {
    Shape part = shape_within(shape, kind);
    part.commutative = true;
    part.grain = part.total = part.largest = 1;
    return part;
}

double cost(const Shape& shape, const Model& model) {
    return cost_of_part(within(shape, Kind::reduce), model) +
           cost_of_part(shape_between(shape, Kind::barrier), model) +
           cost_of_part(within(shape, Kind::bcast), model);
}

void build(const Problem& problem, Builder& plan) {
    const Shape& shape = problem.shape;
    const Levels levels(problem, false);
    const Builder::Weightless weightless(plan);
    const Place word = plan.nothing(1), all = plan.nothing(1);
    solve({.shape = within(shape, Kind::reduce),
           .ranks = levels.mates(),
           .self = levels.self,
           .send = {word},
           .recv = {all}},
          plan);
    if (levels.is_leader()) {
        plan.fence();
        solve({.shape = shape_between(shape, Kind::barrier),
               .ranks = levels.leaders,
               .self = levels.node},
              plan);
        plan.fence();
    }
    solve({.shape = within(shape, Kind::bcast),
           .ranks = levels.mates(),
           .self = levels.self,
           .send = {all},
           .recv = {all}},
          plan);
}

} // namespace

extern const Solver solver{.name = "barrier_two_level",
                           .kind = Kind::barrier,
                           .applicable = applicable,
                           .cost = cost,
                           .build = build,
                           .repeats_among_leaders = true};

} // namespace mpix::plan::barrier_two_level
