// SPDX-License-Identifier: BSD-3-Clause
//
// Recursive doubling allreduce: partners at distance 1, 2, 4 ... exchange all they have combined.
// Ranks beyond the largest power of two fold their vector into a neighbour first and get the
// result from it. Neighbouring ranks fold, so that rank order is kept: it serves non-commutative
// operations. R. Thakur, R. Rabenseifner, W. Gropp, "Optimization of Collective Communication
// Operations in MPICH", 2005, section 4.5.
#include "plan/patterns.hpp"
#include "plan/solver.hpp"
#include "plan/solvers/growing.hpp"

namespace mpix::plan::allreduce_recursive_doubling {
namespace {

bool applicable(const Shape&) { return true; }

double cost(const Shape& shape, const Model& model) {
    const auto bytes = static_cast<double>(shape.total);
    const bool folds = power_below(shape.ranks) != shape.ranks;
    const int rounds = ceil_log2(power_below(shape.ranks)) + (folds ? 2 : 0);
    return rounds * (model.message(bytes) + bytes * model.reduce_us) + bytes * model.copy_us;
}

void build(const Problem& problem, Builder& plan) {
    const Fold fold(problem.shape.ranks);
    const int rank = problem.rank;
    const Place& result = problem.recv[0];
    if (fold.leaves(rank)) {
        plan.send(rank + 1, problem.send[0]);
        plan.recv(rank + 1, result);
        return;
    }
    Growing sum(plan, problem.send[0], result);
    if (fold.pairs(rank)) sum.combine(rank - 1, true);
    const int self = fold.virtual_of(rank);
    // Both partners combine in rank order, commutative or not: a minimum of NaN and 1 is the left.
    for (int distance = 1; distance < fold.core; distance *= 2) {
        const int partner = self ^ distance;
        plan.send(fold.rank_of(partner), sum.place());
        sum.combine(fold.rank_of(partner), partner < self);
    }
    plan.copy(sum.place(), result);
    if (fold.pairs(rank)) plan.send(rank - 1, result);
}

} // namespace

extern const Solver solver{"allreduce_recursive_doubling", Kind::allreduce, applicable, cost,
                           build};

} // namespace mpix::plan::allreduce_recursive_doubling
