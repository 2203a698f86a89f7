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

constexpr int ceil_log2(int n) { return n <= 1 ? 0 : std::bit_width(static_cast<unsigned>(n - 1)); }

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

} // namespace mpix::plan
