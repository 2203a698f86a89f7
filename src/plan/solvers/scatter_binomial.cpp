// SPDX-License-Identifier: BSD-3-Clause
//
// Binomial scatter, of blocks of any size: the binomial gather backwards. A parent sends a child
// the blocks of its whole subtree as one message, straight from the root's buffer where they are
// adjacent there. E. Chan, M. Heimlich, A. Purkayastha, R. van de
// Geijn, "Collective communication: theory, practice, and experience", 2007, "MST scatter".
#include "plan/packing.hpp"
#include "plan/patterns.hpp"
#include "plan/solver.hpp"

namespace mpix::plan::scatter_binomial {
namespace {

bool applicable(const Shape&) { return true; }

// The largest subtree, half of the blocks, goes in and out of scratch on its way.
double cost(const Shape& shape, const Model& model) {
    const int n = shape.ranks;
    const auto bytes = static_cast<double>(shape.total);
    const double forwarded = n > 2 ? bytes / 2 : 0;
    return model.halving(ceil_log2(n), bytes / 2) + bytes * (n - 1) / n * model.per_byte_us +
           forwarded * model.copy_us;
}

void build_root(const Problem& problem, Builder& plan) {
    const int n = problem.shape.ranks;
    const int root = problem.rank;
    Builder::OneByOne one_by_one(plan);
    for (const int child : binomial_children(0, n)) {
        const int peer = ring(child, root, n);
        const auto places = around(problem.send, peer, binomial_end(child, n) - child);
        const Place whole = joined(plan, places);
        pack(plan, places, whole);
        plan.send(peer, whole);
    }
    // In place the root's block stays where it is.
    if (!problem.recv.empty())
        plan.copy(problem.send[static_cast<std::size_t>(root)], problem.recv[0]);
}

void build_inner(const Problem& problem, int self, Builder& plan) {
    const int n = problem.shape.ranks;
    const int root = problem.shape.root;
    const auto begins = offsets(problem.sizes, problem.rank, binomial_end(self, n) - self);
    const Place subtree = plan.scratch(begins.back());
    plan.recv(ring(binomial_parent(self), root, n), subtree);
    Builder::OneByOne one_by_one(plan);
    for (const int child : binomial_children(self, n))
        plan.send(ring(child, root, n),
                  slice(subtree, begins, child - self, binomial_end(child, n) - self));
    plan.copy(slice(subtree, begins, 0, 1), problem.recv[0]);
}

void build(const Problem& problem, Builder& plan) {
    const int n = problem.shape.ranks;
    const int root = problem.shape.root;
    const int self = ring(problem.rank, -root, n);
    const bool leaf = binomial_end(self, n) == self + 1;
    if (self == 0) return build_root(problem, plan);
    if (!leaf) return build_inner(problem, self, plan);
    plan.recv(ring(binomial_parent(self), root, n), problem.recv[0]);
}

} // namespace

extern const Solver solver{"scatter_binomial", Kind::scatter, applicable, cost, build};

} // namespace mpix::plan::scatter_binomial
