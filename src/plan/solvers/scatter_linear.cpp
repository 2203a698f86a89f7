// SPDX-License-Identifier: BSD-3-Clause
//
// Linear scatter: the root sends every rank its block, straight from its buffer. It has no
// source: it is the definition of the operation.
#include "plan/patterns.hpp"
#include "plan/solver.hpp"

namespace mpix::plan::scatter_linear {
namespace {

bool applicable(const Shape&) { return true; }

double cost(const Shape& shape, const Model& model) {
    const int n = shape.ranks;
    const double bytes = static_cast<double>(shape.total) * (n - 1) / n;
    return n == 1 ? 0 : model.to_many(n - 1, bytes) + model.more_receivers(n - 2);
}

void build(const Problem& problem, Builder& plan) {
    const int n = problem.shape.ranks;
    const int root = problem.shape.root;
    if (problem.rank != root) return plan.recv(root, problem.recv[0]);
    for (int distance = 1; distance < n; ++distance) {
        const int peer = ring(root, distance, n);
        plan.send(peer, problem.send[static_cast<std::size_t>(peer)]);
    }
    // In place the root's block stays where it is.
    if (!problem.recv.empty())
        plan.copy(problem.send[static_cast<std::size_t>(root)], problem.recv[0]);
}

} // namespace

extern const Solver solver{"scatter_linear", Kind::scatter, applicable, cost, build};

} // namespace mpix::plan::scatter_linear
