// SPDX-License-Identifier: BSD-3-Clause
//
// Flat allreduce: every rank sends its vector to every other, and each combines them all, in the
// same order. One step of time, for little data and few ranks. Folklore; it is what a node does
// with one flag line a rank.
#include "plan/patterns.hpp"
#include "plan/solver.hpp"
#include "plan/solvers/folding.hpp"

namespace mpix::plan::allreduce_flat {
namespace {

bool applicable(const Shape& shape) { return may_deal_with_all(shape) && may_go_from_left(shape); }

double cost(const Shape& shape, const Model& model) {
    const auto bytes = static_cast<double>(shape.total);
    return model.latency_us + model.of_everyone((shape.ranks - 1) * model.exchanging()) +
           (shape.ranks - 1) * bytes * (model.per_byte_us + model.reduce_us);
}

void build(const Problem& problem, Builder& plan) {
    const int n = problem.shape.ranks;
    const Place& own = problem.send[0];
    const Place& result = problem.recv[0];
    for (int distance = 1; distance < n; ++distance)
        plan.send(ring(problem.rank, distance, n), own);
    const Place sum = own == result && n > 1 ? plan.scratch(own.bytes) : result;
    fold_ranks(plan, problem.rank, n, own, sum);
    plan.copy(sum, result);
}

} // namespace

extern const Solver solver{"allreduce_flat", Kind::allreduce, applicable, cost, build};

} // namespace mpix::plan::allreduce_flat
