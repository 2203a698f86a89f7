// SPDX-License-Identifier: BSD-3-Clause
//
// Binomial broadcast: every rank that has the vector passes it on, to the largest subtree first;
// after ceil(log2 n) rounds all have it. R. Thakur, R. Rabenseifner, W. Gropp, "Optimization of
// Collective Communication Operations in MPICH", 2005, section 4.2.
#include "plan/patterns.hpp"
#include "plan/solver.hpp"

namespace mpix::plan::bcast_binomial {
namespace {

bool applicable(const Shape&) { return true; }

double cost(const Shape& shape, const Model& model) {
    return ceil_log2(shape.ranks) * model.message(static_cast<double>(shape.total));
}

void build(const Problem& problem, Builder& plan) {
    const int n = problem.shape.ranks;
    const int root = problem.shape.root;
    const int self = ring(problem.rank, -root, n);
    const Place& data = self == 0 ? problem.send[0] : problem.recv[0];
    if (self != 0) plan.recv(ring(binomial_parent(self), root, n), data);
    Builder::OneByOne one_by_one(plan);
    for (const int child : binomial_children(self, n)) plan.send(ring(child, root, n), data);
}

} // namespace

extern const Solver solver{"bcast_binomial", Kind::bcast, applicable, cost, build};

} // namespace mpix::plan::bcast_binomial
