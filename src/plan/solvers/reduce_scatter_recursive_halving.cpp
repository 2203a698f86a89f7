// SPDX-License-Identifier: BSD-3-Clause
//
// Recursive halving reduce_scatter: ceil(log2 n) exchanges of half of what is left. Any number of
// ranks by folding. Where order does not matter the distance halves, and each rank keeps a run of
// segments that shrinks to its own. Where it matters the distance doubles, which keeps rank order
// but leaves the pieces in bit-reversed order; so they are packed in that order first. R. Thakur,
// R. Rabenseifner, W. Gropp, "Optimization of Collective Communication Operations in MPICH", 2005,
// section 4.3; the packing is ours.
#include "plan/packing.hpp"
#include "plan/solver.hpp"
#include "plan/solvers/halving.hpp"
#include "plan/solvers/levels.hpp"

namespace mpix::plan::reduce_scatter_recursive_halving {
namespace {

bool applicable(const Shape&) { return true; }

// Of ranks that follow each other on nodes, the long messages of growing distance stay within them.
bool goes_from_far(const Shape& shape) {
    return shape.commutative && !(has_levels(shape) && shape.nodes.are_in_order());
}

double cost(const Shape& shape, const Model& model) {
    const auto bytes = static_cast<double>(shape.total);
    const Fold fold(shape.ranks);
    const auto segment = static_cast<double>(shape.largest);
    const double part = bytes * (fold.core - 1) / fold.core;
    const double folding =
        fold.extra ? model.message(bytes) + bytes * model.reduce_us + model.message(segment) : 0;
    return folding + model.halving(ceil_log2(fold.core), bytes / 2) +
           part * (model.relaying() * model.crossing * model.per_byte_us + model.reduce_us) +
           ((goes_from_far(shape) ? 0 : bytes) + segment) * model.copy_us;
}

// Where the segment of each rank lies once packed, and the bounds of the pieces.
struct Packing {
    Place whole;
    std::vector<Place> segments;
    std::vector<Bytes> bounds{0};
};

Packing pack_reversed(const Problem& problem, const Fold& fold, Builder& plan) {
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

void build_from_near(const Problem& problem, const Fold& fold, Builder& plan) {
    const int rank = problem.rank;
    const int twin = Fold::twin(rank);
    const Packing packing = pack_reversed(problem, fold, plan);
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

// What is left of the vector: the segments of ranks from `first` on.
struct Left {
    Place sum;
    int first;
    const Sizes* begins; // of all segments

    Place segments(int from, int to) const {
        const auto at = [this](int rank) { return (*begins)[static_cast<std::size_t>(rank)]; };
        return sum.part(at(from) - at(first), at(to) - at(from));
    }
};

// What `peer` sends for those of [from, to) comes to a place of its own: none is written while it
// is sent.
Left take_in(int peer, const Left& left, int from, int to, Builder& plan) {
    const Place mine = left.segments(from, to);
    const Place theirs = plan.scratch(mine.bytes);
    plan.recv(peer, theirs);
    plan.next_phase();
    plan.reduce(mine, theirs);
    return {theirs, from, left.begins};
}

Left halve_from_far(const Fold& fold, int v, Left left, Builder& plan) {
    for (int distance = fold.core / 2; distance > 0; distance /= 2) {
        const int kept = v & -distance, given = kept ^ distance;
        const int peer = fold.rank_of(v ^ distance);
        plan.send(peer, left.segments(fold.first_rank(given), fold.first_rank(given + distance)));
        left = take_in(peer, left, fold.first_rank(kept), fold.first_rank(kept + distance), plan);
    }
    return left;
}

void build_from_far(const Problem& problem, const Fold& fold, Builder& plan) {
    const int rank = problem.rank, ranks = problem.shape.ranks;
    const int twin = Fold::twin(rank);
    const Place vector = joined(plan, problem.send);
    pack(plan, problem.send, vector);
    if (fold.leaves(rank)) {
        plan.send(twin, vector);
        plan.recv(twin, problem.recv[0]);
        return;
    }
    const Sizes begins = offsets(problem.sizes, 0, ranks);
    Left left{vector, 0, &begins};
    if (fold.pairs(rank)) left = take_in(twin, left, 0, ranks, plan);
    left = halve_from_far(fold, fold.virtual_of(rank), left, plan);
    plan.copy(left.segments(rank, rank + 1), problem.recv[0]);
    if (fold.pairs(rank)) plan.send(twin, left.segments(twin, twin + 1));
}

void build(const Problem& problem, Builder& plan) {
    const Fold fold(problem.shape.ranks);
    Builder::Phases phases(plan);
    if (goes_from_far(problem.shape))
        build_from_far(problem, fold, plan);
    else
        build_from_near(problem, fold, plan);
}

} // namespace

extern const Solver solver{"reduce_scatter_recursive_halving", Kind::reduce_scatter, applicable,
                           cost, build};

} // namespace mpix::plan::reduce_scatter_recursive_halving
