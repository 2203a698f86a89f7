// SPDX-License-Identifier: BSD-3-Clause
//
// Central allreduce: all send their vectors to the first rank, which combines them and tells all.
// Two steps of time instead of the one of allreduce_flat, but as many messages in all as there are
// ranks, twice, and not their square. Folklore.
#include "plan/patterns.hpp"
#include "plan/solver.hpp"
#include "plan/solvers/folding.hpp"

namespace mpix::plan::allreduce_central {
namespace {

bool applicable(const Shape& shape) { return shape.one_node && may_go_from_left(shape); }

double cost(const Shape& shape, const Model& model) {
    const auto bytes = static_cast<double>(shape.total);
    const double each = model.exchanging() + bytes * (2 * model.copy_us + model.reduce_us);
    return 2 * model.latency_us + (shape.ranks - 1) * each;
}

void build(const Problem& problem, Builder& plan) {
    const int n = problem.shape.ranks;
    const Place &own = problem.send[0], &result = problem.recv[0];
    if (problem.rank != 0) {
        plan.send(0, own);
        plan.recv(0, result);
        return;
    }
    const Place sum = own == result && n > 1 ? plan.scratch(own.bytes) : result;
    fold_ranks(plan, 0, n, own, sum);
    plan.copy(sum, result);
    for (int rank = 1; rank < n; ++rank) plan.send(rank, result);
}

} // namespace

extern const Solver solver{"allreduce_central", Kind::allreduce, applicable, cost, build};

} // namespace mpix::plan::allreduce_central
