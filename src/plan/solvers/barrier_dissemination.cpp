// SPDX-License-Identifier: BSD-3-Clause
//
// Dissemination barrier: in round k every rank signals the rank 2^k further on; after ceil(log2 n)
// rounds each has heard from all. D. Hensgen, R. Finkel, U. Manber, "Two algorithms for barrier
// synchronization", 1988.
#include "plan/patterns.hpp"
#include "plan/solver.hpp"

namespace mpix::plan::barrier_dissemination {
namespace {

bool applicable(const Shape&) { return true; }

double cost(const Shape& shape, const Model& model) {
    return ceil_log2(shape.ranks) * model.message(0);
}

void build(const Problem& problem, Builder& plan) {
    const int n = problem.shape.ranks;
    for (int distance = 1; distance < n; distance *= 2) {
        plan.signal(ring(problem.rank, distance, n));
        plan.await(ring(problem.rank, -distance, n));
        plan.fence();
    }
}

} // namespace

extern const Solver solver{"barrier_dissemination", Kind::barrier, applicable, cost, build};

} // namespace mpix::plan::barrier_dissemination
