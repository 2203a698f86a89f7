// SPDX-License-Identifier: BSD-3-Clause
//
// Binomial gather, of blocks of any size: an inner rank packs the blocks of its subtree one after
// the other and sends them to its parent as one message. The root receives them straight into
// place where they are adjacent there. E. Chan, M. Heimlich, A. Purkayastha, R. van de
// Geijn, "Collective communication: theory, practice, and experience", 2007, "MST gather".
#include "plan/packing.hpp"
#include "plan/patterns.hpp"
#include "plan/solver.hpp"

namespace mpix::plan::gather_binomial {
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
    for (const int child : binomial_children(0, n)) {
        const int peer = ring(child, root, n);
        const auto places = around(problem.recv, peer, binomial_end(child, n) - child);
        const Place whole = joined(plan, places);
        plan.recv(peer, whole);
        unpack(plan, whole, places);
    }
    plan.copy(problem.send[0], problem.recv[static_cast<std::size_t>(root)]);
}

void build_inner(const Problem& problem, int self, Builder& plan) {
    const int n = problem.shape.ranks;
    const int root = problem.shape.root;
    const auto begins = offsets(problem.sizes, problem.rank, binomial_end(self, n) - self);
    const Place subtree = plan.scratch(begins.back());
    plan.copy(problem.send[0], slice(subtree, begins, 0, 1));
    for (const int child : binomial_children(self, n))
        plan.recv(ring(child, root, n),
                  slice(subtree, begins, child - self, binomial_end(child, n) - self));
    plan.send(ring(binomial_parent(self), root, n), subtree);
}

void build(const Problem& problem, Builder& plan) {
    const int n = problem.shape.ranks;
    const int root = problem.shape.root;
    const int self = ring(problem.rank, -root, n);
    const bool leaf = binomial_end(self, n) == self + 1;
    if (self == 0) return build_root(problem, plan);
    if (!leaf) return build_inner(problem, self, plan);
    plan.send(ring(binomial_parent(self), root, n), problem.send[0]);
}

} // namespace

extern const Solver solver{"gather_binomial", Kind::gather, applicable, cost, build};

} // namespace mpix::plan::gather_binomial
