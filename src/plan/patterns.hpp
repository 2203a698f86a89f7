// SPDX-License-Identifier: BSD-3-Clause
//
// Rank arithmetic that algorithms share: trees, hypercubes, rings, and the cutting of vectors.
// Nothing here communicates.
#pragma once

#include "plan/problem.hpp"

#include <bit>

namespace mpix::plan {

// The rank `distance` places further round the ring.
constexpr int ring(int rank, int distance, int ranks) {
    return ((rank + distance) % ranks + ranks) % ranks;
}

constexpr int ceil_log2(int n) {
    return n <= 1 ? 0 : static_cast<int>(std::bit_width(static_cast<unsigned>(n - 1)));
}

constexpr int power_below(int n) {
    return static_cast<int>(std::bit_floor(static_cast<unsigned>(n)));
}

// A binomial tree on virtual ranks 0 (the root) to n-1: the subtree of v are the ranks
// [v, v + span) below n, where span is the lowest set bit of v; its children are v + 1, v + 2,
// v + 4 ... below v + span.
constexpr int binomial_span(int v, int n) {
    if (v == 0) return static_cast<int>(std::bit_ceil(static_cast<unsigned>(n)));
    return v & -v;
}
constexpr int binomial_parent(int v) { return v & (v - 1); }
constexpr int binomial_end(int v, int n) {
    const int end = v + binomial_span(v, n);
    return end < n ? end : n;
}

// Largest subtree first.
inline std::vector<int> binomial_children(int v, int n) {
    std::vector<int> children;
    for (int distance = binomial_span(v, n) / 2; distance > 0; distance /= 2)
        if (v + distance < n) children.push_back(v + distance);
    return children;
}

// Segment `index` of `pieces` equal ones, cut on element boundaries; the first get the remainder.
constexpr Bytes cut_begin(const Shape& shape, Bytes bytes, int pieces, int index) {
    const Bytes elements = bytes / shape.grain;
    const Bytes each = elements / pieces;
    const Bytes rest = elements % pieces;
    return (each * index + (index < rest ? index : rest)) * shape.grain;
}

inline Place cut(const Shape& shape, const Place& whole, int pieces, int index) {
    const Bytes begin = cut_begin(shape, whole.bytes, pieces, index);
    return whole.part(begin, cut_begin(shape, whole.bytes, pieces, index + 1) - begin);
}

// Folding `ranks` to a power of two: the ranks below 2 * extra pair off with their neighbours, and
// one of each pair leaves. It is the even one, except that `stays` never leaves. What stays is
// numbered in rank order, so that combining neighbours in these numbers keeps rank order.
struct Fold {
    int core;
    int extra;
    int stays;

    explicit constexpr Fold(int ranks, int staying = -1)
        : core(power_below(ranks)), extra(ranks - core), stays(staying) {}

    constexpr int first_rank(int v) const { return v < extra ? 2 * v : v + extra; }
    constexpr int rank_of(int v) const {
        const int first = first_rank(v);
        return v < extra && first != stays ? first + 1 : first;
    }
    constexpr int virtual_of(int rank) const { return pairs(rank) ? rank / 2 : rank - extra; }
    constexpr bool pairs(int rank) const { return rank < 2 * extra; }
    constexpr bool leaves(int rank) const { return rank_of(virtual_of(rank)) != rank; }
    static constexpr int twin(int rank) { return rank ^ 1; }
};

// Of more ranks that each deal with all others the queues would fill the node's memory.
constexpr int most_among_all = 16;
constexpr bool may_deal_with_all(const Shape& shape) {
    return shape.one_node && shape.ranks <= most_among_all;
}
constexpr bool fills_node(const Shape& shape) {
    return shape.one_node && shape.ranks > most_among_all;
}

// The fixed order of reduce, allreduce and reduce_scatter is that of a fold whose partners follow
// at distances 1, 2, 4 ...: it adds pairs first, and then sums of as many. Other orders are the
// same for some numbers of ranks.
constexpr bool may_go_from_left(const Shape& shape) {
    return shape.order != Order::fixed || shape.ranks <= 3;
}
constexpr bool may_go_from_right(const Shape& shape) {
    return shape.order != Order::fixed || shape.ranks <= 2;
}
// A binomial tree pairs the first ranks of the larger power of two, and the rest among themselves.
constexpr bool folds_as_binomial_tree(int ranks) {
    const Fold fold(ranks);
    return fold.extra == 0 || (fold.extra >= fold.core / 2 && folds_as_binomial_tree(fold.extra));
}

// The number v below `core`, a power of two, with its bits in the opposite order.
constexpr int bit_reverse(int v, int core) {
    int reversed = 0;
    for (int bit = 1; bit < core; bit *= 2) reversed = 2 * reversed + (v & bit ? 1 : 0);
    return reversed;
}

} // namespace mpix::plan
