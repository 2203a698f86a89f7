// SPDX-License-Identifier: BSD-3-Clause
//
// Rabenseifner's allreduce: a reduce-scatter by recursive halving, then an allgather by recursive
// doubling over the same partners in the opposite order. Each byte is sent about twice, however
// many ranks there are. Any number of ranks by folding. The distance doubles while the vector
// halves, so that rank order is kept: it serves non-commutative operations. R. Rabenseifner,
// "Optimization of Collective Reduction Operations", ICCS 2004.
#include "plan/solver.hpp"
#include "plan/solvers/halving.hpp"

namespace mpix::plan::allreduce_rabenseifner {
namespace {

bool applicable(const Shape&) { return true; }

double cost(const Shape& shape, const Model& model) {
    const auto bytes = static_cast<double>(shape.total);
    const Fold fold(shape.ranks);
    const double part = bytes * (fold.core - 1) / fold.core;
    const double folding = fold.extra ? 2 * model.message(bytes) + bytes * model.reduce_us : 0;
    return folding + 2 * model.halving(ceil_log2(fold.core), bytes / 2) +
           part * (2 * model.crossing * model.per_byte_us + model.reduce_us) +
           bytes * model.copy_us;
}

void build(const Problem& problem, Builder& plan) {
    const Fold fold(problem.shape.ranks);
    const int rank = problem.rank;
    const Place& result = problem.recv[0];
    if (fold.leaves(rank)) {
        plan.send(Fold::twin(rank), problem.send[0]);
        plan.recv(Fold::twin(rank), result);
        return;
    }
    const Halving halving = equal_halving(problem, fold, result);
    const Place source = take_in_twin(halving, problem.send[0], result, plan);
    halve(halving, source, result, plan);
    for (int width = 1; width < fold.core; width *= 2) {
        plan.send(halving.partner(width), halving.kept(result, width));
        plan.recv(halving.partner(width), halving.given(result, width));
    }
    if (fold.pairs(rank)) plan.send(Fold::twin(rank), result);
}

} // namespace

extern const Solver solver{"allreduce_rabenseifner", Kind::allreduce, applicable, cost, build};

} // namespace mpix::plan::allreduce_rabenseifner
