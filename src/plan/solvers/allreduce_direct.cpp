// SPDX-License-Identifier: BSD-3-Clause
//
// Direct allreduce: each rank combines one segment of all vectors, which every other sends to it,
// and sends the result to every other. Two steps of time, each byte moved twice; it keeps rank
// order. R. Rabenseifner, "Optimization of Collective Reduction Operations", 2004, section 2, does
// the same two halves in rounds.
#include "plan/patterns.hpp"
#include "plan/solver.hpp"
#include "plan/solvers/folding.hpp"

namespace mpix::plan::allreduce_direct {
namespace {

bool applicable(const Shape& shape) { return may_deal_with_all(shape) && may_go_from_left(shape); }

double cost(const Shape& shape, const Model& model) {
    const double segment = static_cast<double>(shape.total) / shape.ranks;
    return 2 * model.latency_us + model.of_everyone((shape.ranks - 1) * 2 * model.exchanging()) +
           2 * model.more_receivers(shape.ranks - 2) +
           (shape.ranks - 1) * segment * (2 * model.per_byte_us + model.reduce_us);
}

void build(const Problem& problem, Builder& plan) {
    const Shape& shape = problem.shape;
    const int n = shape.ranks, self = problem.rank;
    const Place& own = problem.send[0];
    const Place& result = problem.recv[0];
    for (int distance = 1; distance < n; ++distance) {
        const int to = ring(self, distance, n);
        plan.send(to, cut(shape, own, n, to));
    }
    const Place mine = cut(shape, own, n, self), place = cut(shape, result, n, self);
    const Place sum = mine == place && n > 1 ? plan.scratch(mine.bytes) : place;
    fold_ranks(plan, self, n, mine, sum);
    plan.copy(sum, place);
    for (int distance = 1; distance < n; ++distance) {
        const int with = ring(self, distance, n);
        plan.send(with, sum);
    }
    for (int distance = 1; distance < n; ++distance) {
        const int from = ring(self, -distance, n);
        plan.recv(from, cut(shape, result, n, from));
    }
}

} // namespace

extern const Solver solver{"allreduce_direct", Kind::allreduce, applicable, cost, build};

} // namespace mpix::plan::allreduce_direct
