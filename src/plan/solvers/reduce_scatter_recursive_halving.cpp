// SPDX-License-Identifier: BSD-3-Clause
//
// Recursive halving reduce_scatter: ceil(log2 n) exchanges of half of what is left. Any number of
// ranks by folding. The distance doubles, which keeps rank order and serves non-commutative
// operations but leaves the pieces in bit-reversed order; so they are packed in that order first.
// R. Thakur, R. Rabenseifner, W. Gropp, "Optimization of Collective Communication Operations in
// MPICH", 2005, section 4.3; the packing is ours.
#include "plan/packing.hpp"
#include "plan/solver.hpp"
#include "plan/solvers/halving.hpp"

namespace mpix::plan::reduce_scatter_recursive_halving {
namespace {

bool applicable(const Shape&) { return true; }

double cost(const Shape& shape, const Model& model) {
    const auto bytes = static_cast<double>(shape.total);
    const Fold fold(shape.ranks);
    const auto segment = static_cast<double>(shape.largest);
    const double part = bytes * (fold.core - 1) / fold.core;
    const double folding =
        fold.extra ? model.message(bytes) + bytes * model.reduce_us + model.message(segment) : 0;
    return folding + model.halving(ceil_log2(fold.core), bytes / 2) +
           part * (model.crossing * model.per_byte_us + model.reduce_us) +
           (bytes + segment) * model.copy_us;
}

// Where the segment of each rank lies once packed, and the bounds of the pieces.
struct Packing {
    Place whole;
    std::vector<Place> segments;
    std::vector<Bytes> bounds{0};
};

Packing pack(const Problem& problem, const Fold& fold, Builder& plan) {
    Packing packing;
    packing.whole = plan.scratch(sum_of(problem.sizes));
    packing.segments.resize(problem.send.size());
    std::vector<Move> moves;
    moves.reserve(problem.send.size());
    Bytes offset = 0;
    for (int piece = 0; piece < fold.core; ++piece) {
        const int v = bit_reverse(piece, fold.core);
        for (int rank = fold.first_rank(v); rank < fold.first_rank(v + 1); ++rank) {
            const auto r = static_cast<std::size_t>(rank);
            packing.segments[r] = packing.whole.part(offset, problem.send[r].bytes);
            moves.push_back({problem.send[r], packing.segments[r]});
            offset += problem.send[r].bytes;
        }
        packing.bounds.push_back(offset);
    }
    plan.copy(moves);
    return packing;
}

void build(const Problem& problem, Builder& plan) {
    const Fold fold(problem.shape.ranks);
    const int rank = problem.rank;
    const int twin = Fold::twin(rank);
    const Packing packing = pack(problem, fold, plan);
    if (fold.leaves(rank)) {
        plan.send(twin, packing.whole);
        plan.recv(twin, problem.recv[0]);
        return;
    }
    const Halving halving{fold, rank, problem.shape.commutative, [&packing](int piece) {
                              return packing.bounds[static_cast<std::size_t>(piece)];
                          }};
    take_in_twin(halving, packing.whole, packing.whole, plan);
    halve(halving, packing.whole, packing.whole, plan);
    plan.copy(packing.segments[static_cast<std::size_t>(rank)], problem.recv[0]);
    if (fold.pairs(rank)) plan.send(twin, packing.segments[static_cast<std::size_t>(twin)]);
}

} // namespace

extern const Solver solver{"reduce_scatter_recursive_halving", Kind::reduce_scatter, applicable,
                           cost, build};

} // namespace mpix::plan::reduce_scatter_recursive_halving
