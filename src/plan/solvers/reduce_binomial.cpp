// SPDX-License-Identifier: BSD-3-Clause
//
// Binomial tree reduce: a rank combines the vectors of its children, whose subtrees are 1, 2, 4 ...
// ranks long and follow its own, and passes the sum to its parent. If the operation does not
// commute, the tree is rooted at rank 0, which keeps rank order, and rank 0 hands the result to the
// root. R. Thakur, R. Rabenseifner, W. Gropp, "Optimization of Collective Communication Operations
// in MPICH", 2005, section 4.5.
#include "plan/patterns.hpp"
#include "plan/solver.hpp"

#include <utility>

namespace mpix::plan::reduce_binomial {
namespace {

bool applicable(const Shape& shape) {
    return shape.order != Order::fixed || folds_as_binomial_tree(shape.ranks);
}

int top(const Shape& shape) { return shape.commutative ? shape.root : 0; }

double cost(const Shape& shape, const Model& model) {
    const auto bytes = static_cast<double>(shape.total);
    const double handing = top(shape) == shape.root ? bytes * model.copy_us : model.message(bytes);
    return ceil_log2(shape.ranks) * (model.message(bytes) + bytes * model.reduce_us) + handing;
}

// Returns where the sum of the subtree of `v` is: at the root where it is wanted, if something may
// be received there.
Place sum_subtree(const Problem& problem, int v, Builder& plan) {
    const int n = problem.shape.ranks;
    Place sum = problem.send[0];
    const int children = ceil_log2(binomial_end(v, n) - v);
    const bool may_end_in_place =
        v == 0 && problem.rank == problem.shape.root && !(problem.recv[0] == sum);
    Place next, after_next;
    if (children > 0) next = may_end_in_place ? problem.recv[0] : plan.scratch(sum.bytes);
    if (children > 1) after_next = plan.scratch(sum.bytes);
    if (children % 2 == 0) std::swap(next, after_next);
    for (int distance = 1; v + distance < binomial_end(v, n); distance *= 2) {
        plan.recv(ring(v + distance, top(problem.shape), n), next);
        plan.reduce(sum, next);
        sum = next;
        std::swap(next, after_next);
    }
    return sum;
}

void build(const Problem& problem, Builder& plan) {
    const Shape& shape = problem.shape;
    const int v = ring(problem.rank, -top(shape), shape.ranks);
    const Place sum = sum_subtree(problem, v, plan);
    if (v != 0) {
        plan.send(ring(binomial_parent(v), top(shape), shape.ranks), sum);
        if (problem.rank == shape.root) plan.recv(top(shape), problem.recv[0]);
    } else if (problem.rank == shape.root) {
        plan.copy(sum, problem.recv[0]);
    } else {
        plan.send(shape.root, sum);
    }
}

} // namespace

extern const Solver solver{"reduce_binomial", Kind::reduce, applicable, cost, build};

} // namespace mpix::plan::reduce_binomial
