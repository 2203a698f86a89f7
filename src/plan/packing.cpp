// SPDX-License-Identifier: BSD-3-Clause
//
// Merging adjacent places, and the copies for those that are not adjacent. It sends nothing.
#include "plan/packing.hpp"

#include "plan/patterns.hpp"

namespace mpix::plan {

std::vector<Place> runs(std::span<const Place> places) {
    std::vector<Place> merged;
    for (const Place& place : places) {
        if (place.bytes == 0) continue;
        if (!merged.empty()) {
            Place& last = merged.back();
            if (last.buffer == place.buffer && last.offset + last.bytes == place.offset) {
                last.bytes += place.bytes;
                continue;
            }
        }
        merged.push_back(place);
    }
    return merged;
}

Place joined(Builder& plan, std::span<const Place> places) {
    const std::vector<Place> merged = runs(places);
    if (merged.size() == 1) return merged[0];
    Bytes bytes = 0;
    for (const Place& run : merged) bytes += run.bytes;
    return plan.scratch(bytes);
}

void pack(Builder& plan, std::span<const Place> places, const Place& whole) {
    Bytes begin = 0;
    std::vector<Move> moves;
    for (const Place& run : runs(places)) {
        moves.push_back({run, whole.part(begin, run.bytes)});
        begin += run.bytes;
    }
    plan.copy(moves);
}

void unpack(Builder& plan, const Place& whole, std::span<const Place> places) {
    Bytes begin = 0;
    std::vector<Move> moves;
    for (const Place& run : runs(places)) {
        moves.push_back({whole.part(begin, run.bytes), run});
        begin += run.bytes;
    }
    plan.copy(moves);
}

std::vector<Move> moves(std::span<const Place> from, std::span<const Place> to) {
    std::vector<Move> all;
    all.reserve(to.size());
    for (std::size_t i = 0; i < to.size(); ++i) all.push_back({from[i], to[i]});
    return all;
}

std::vector<Place> around(const std::vector<Place>& places, int first, int count) {
    const int n = static_cast<int>(places.size());
    std::vector<Place> turned;
    turned.reserve(static_cast<std::size_t>(count));
    for (int i = 0; i < count; ++i)
        turned.push_back(places[static_cast<std::size_t>(ring(first, i, n))]);
    return turned;
}

std::vector<Bytes> offsets(const std::vector<Bytes>& sizes, int first, int count) {
    const int n = static_cast<int>(sizes.size());
    std::vector<Bytes> begins{0};
    for (int i = 0; i < count; ++i)
        begins.push_back(begins.back() + sizes[static_cast<std::size_t>(ring(first, i, n))]);
    return begins;
}

Place slice(const Place& whole, const std::vector<Bytes>& offsets, int from, int to) {
    const Bytes begin = offsets[static_cast<std::size_t>(from)];
    return whole.part(begin, offsets[static_cast<std::size_t>(to)] - begin);
}

} // namespace mpix::plan
