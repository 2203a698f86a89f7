// SPDX-License-Identifier: BSD-3-Clause
//
// Rabenseifner's reduce: a reduce-scatter by recursive halving, then a binomial gather of the
// pieces to the root over the same partners in the opposite order. Any number of ranks by folding;
// the root never folds away. The distance doubles while the vector halves, so that rank order is
// kept: it serves non-commutative operations. R. Rabenseifner, "Optimization of Collective
// Reduction Operations", ICCS 2004.
#include "plan/solver.hpp"
#include "plan/solvers/halving.hpp"

namespace mpix::plan::reduce_scatter_gather {
namespace {

bool applicable(const Shape&) { return true; }

double cost(const Shape& shape, const Model& model) {
    const auto bytes = static_cast<double>(shape.total);
    const Fold fold(shape.ranks, shape.root);
    const double part = bytes * (fold.core - 1) / fold.core;
    const double folding = fold.extra ? model.message(bytes) + bytes * model.reduce_us : 0;
    return folding + 2 * model.halving(ceil_log2(fold.core), bytes / 2) +
           4 * model.more_receivers(ceil_log2(fold.core) - 1) +
           model.of_everyone(part * (2 * model.crossing * model.per_byte_us + model.reduce_us)) +
           bytes * model.copy_us;
}

// Ranks whose number still differs from the root's in the bit of the step hand over what they have.
void gather(const Halving& halving, const Place& result, int root, Builder& plan) {
    const Fold& fold = halving.fold;
    const int apart = fold.virtual_of(halving.rank) ^ fold.virtual_of(root);
    for (int width = 1; width < fold.core; width *= 2) {
        const int partner = halving.partner(width);
        if (apart & halving.distance(width)) return plan.send(partner, halving.kept(result, width));
        plan.recv(partner, halving.given(result, width));
    }
}

void build(const Problem& problem, Builder& plan) {
    const int root = problem.shape.root;
    const Fold fold(problem.shape.ranks, root);
    const Place& vector = problem.send[0];
    if (fold.leaves(problem.rank)) return plan.send(Fold::twin(problem.rank), vector);
    const Place result = problem.rank == root ? problem.recv[0] : plan.scratch(vector.bytes);
    const Halving halving = equal_halving(problem, fold, vector);
    const Place source = take_in_twin(halving, vector, result, plan);
    halve(halving, source, result, plan);
    gather(halving, result, root, plan);
}

} // namespace

extern const Solver solver{"reduce_scatter_gather", Kind::reduce, applicable, cost, build};

} // namespace mpix::plan::reduce_scatter_gather
