// SPDX-License-Identifier: BSD-3-Clause
//
// Dissemination barrier: in round k every rank signals the rank 2^k further on; after ceil(log2 n)
// rounds each has heard from all. D. Hensgen, R. Finkel, U. Manber, "Two algorithms for barrier
// synchronization", 1988. Where their number is a power of two, pairs signal each other instead (E.
// Brooks, "The butterfly barrier", 1986): over TCP the one signal acknowledges the other.
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
    const bool are_paired = power_below(n) == n;
    for (int distance = 1; distance < n; distance *= 2) {
        const int partner = problem.rank ^ distance;
        plan.signal(are_paired ? partner : ring(problem.rank, distance, n));
        plan.await(are_paired ? partner : ring(problem.rank, -distance, n));
        plan.fence();
    }
}

} // namespace

extern const Solver solver{"barrier_dissemination", Kind::barrier, applicable, cost, build};

} // namespace mpix::plan::barrier_dissemination
