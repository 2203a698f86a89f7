// SPDX-License-Identifier: BSD-3-Clause
//
// Linear gather: every rank sends its block to the root, which receives it in place. It has
// no source: it is the definition of the operation.
#include "plan/patterns.hpp"
#include "plan/solver.hpp"

namespace mpix::plan::gather_linear {
namespace {

bool applicable(const Shape&) { return true; }

double cost(const Shape& shape, const Model& model) {
    const int n = shape.ranks;
    const double bytes = static_cast<double>(shape.total) * (n - 1) / n;
    return n == 1 ? 0 : model.from_many(n - 1, bytes);
}

void build(const Problem& problem, Builder& plan) {
    const int n = problem.shape.ranks;
    const int root = problem.shape.root;
    if (problem.rank != root) return plan.send(root, problem.send[0]);
    for (int distance = 1; distance < n; ++distance) {
        const int peer = ring(root, distance, n);
        plan.recv(peer, problem.recv[static_cast<std::size_t>(peer)]);
    }
    plan.copy(problem.send[0], problem.recv[static_cast<std::size_t>(root)]);
}

} // namespace

extern const Solver solver{"gather_linear", Kind::gather, applicable, cost, build, true};

} // namespace mpix::plan::gather_linear
