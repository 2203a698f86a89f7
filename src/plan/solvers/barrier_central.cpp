// SPDX-License-Identifier: BSD-3-Clause
//
// Central barrier: all tell the first rank, which tells all. Two steps of time instead of one, but
// as many signals in all as there are ranks, twice. J. Mellor-Crummey, M. Scott, "Algorithms for
// scalable synchronization on shared-memory multiprocessors", 1991.
#include "plan/solver.hpp"

namespace mpix::plan::barrier_central {
namespace {

bool applicable(const Shape& shape) { return shape.one_node; }

double cost(const Shape& shape, const Model& model) {
    return 2 * model.latency_us + (shape.ranks - 1) * model.exchanging();
}

void build(const Problem& problem, Builder& plan) {
    const int n = problem.shape.ranks;
    if (problem.rank != 0) {
        plan.signal(0);
        plan.await(0);
        return;
    }
    for (int rank = 1; rank < n; ++rank) plan.await(rank);
    plan.join();
    for (int rank = 1; rank < n; ++rank) plan.signal(rank);
}

} // namespace

extern const Solver solver{"barrier_central", Kind::barrier, applicable, cost, build};

} // namespace mpix::plan::barrier_central
