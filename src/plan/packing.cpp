// SPDX-License-Identifier: BSD-3-Clause
//
// The copies for blocks that are not adjacent. It sends nothing.
#include "plan/packing.hpp"

namespace mpix::plan {

Place joined(Builder& plan, const Blocks& places) {
    const Blocks merged = runs(places);
    if (merged.size() == 1) return merged[0];
    Bytes bytes = 0;
    for (const Place& run : merged) bytes += run.bytes;
    return plan.scratch(bytes);
}

void pack(Builder& plan, const Blocks& places, const Place& whole) {
    Bytes begin = 0;
    std::vector<Move> moves;
    for (const Place& run : runs(places)) {
        moves.push_back({run, whole.part(begin, run.bytes)});
        begin += run.bytes;
    }
    plan.copy(moves);
}

void unpack(Builder& plan, const Place& whole, const Blocks& places) {
    Bytes begin = 0;
    std::vector<Move> moves;
    for (const Place& run : runs(places)) {
        moves.push_back({whole.part(begin, run.bytes), run});
        begin += run.bytes;
    }
    plan.copy(moves);
}

std::vector<Move> moves(const Blocks& from, const Blocks& to) {
    std::vector<Move> all;
    all.reserve(to.size());
    for (std::size_t i = 0; i < to.size(); ++i) all.push_back({from[i], to[i]});
    return all;
}

} // namespace mpix::plan
