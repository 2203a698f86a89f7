// SPDX-License-Identifier: BSD-3-Clause
//
// Flat barrier: every rank signals every other. One step of time. Folklore.
#include "plan/patterns.hpp"
#include "plan/solver.hpp"

namespace mpix::plan::barrier_flat {
namespace {

bool applicable(const Shape& shape) { return may_deal_with_all(shape); }

double cost(const Shape& shape, const Model& model) {
    return model.latency_us + model.of_everyone((shape.ranks - 1) * model.exchanging());
}

void build(const Problem& problem, Builder& plan) {
    const int n = problem.shape.ranks;
    for (int distance = 1; distance < n; ++distance) plan.signal(ring(problem.rank, distance, n));
    for (int distance = 1; distance < n; ++distance) plan.await(ring(problem.rank, -distance, n));
}

} // namespace

extern const Solver solver{"barrier_flat", Kind::barrier, applicable, cost, build};

} // namespace mpix::plan::barrier_flat
