// SPDX-License-Identifier: BSD-3-Clause
//
// Blocks that are alike, in a formula; others one by one.
#include "plan/blocks.hpp"

#include "plan/patterns.hpp"

#include <algorithm>
#include <numeric>

namespace mpix::plan {
namespace {

// Adds what follows to the last run.
void append(Blocks& merged, const Place& place) {
    if (place.bytes == 0) return;
    if (!merged.empty()) {
        Place last = merged.back();
        if (last.buffer == place.buffer && last.offset + last.bytes == place.offset) {
            last.bytes += place.bytes;
            return merged.set(merged.size() - 1, last);
        }
    }
    merged.push_back(place);
}

} // namespace

bool are_gapless(const Blocks& places) {
    return !places.empty() && places.is_regular() &&
           (places.size() == 1 || places.stride() == places.front().bytes);
}

Blocks runs(const Blocks& places) {
    if (are_gapless(places)) {
        Place all = places.front();
        all.bytes *= static_cast<Bytes>(places.size());
        return all.bytes > 0 ? Blocks{all} : Blocks{};
    }
    Blocks merged;
    for (const Place& place : places) append(merged, place);
    return merged;
}

Blocks around(const Blocks& places, int first, int count) {
    const int n = static_cast<int>(places.size()), to_end = std::min(count, n - first);
    const auto part = [&](int begin, int length) {
        return runs(places.part(static_cast<std::size_t>(begin), static_cast<std::size_t>(length)));
    };
    Blocks turned = part(first, to_end);
    for (const Place& place : part(0, count - to_end)) append(turned, place);
    return turned;
}

Sizes sizes(const Blocks& blocks) {
    if (blocks.empty()) return {};
    if (blocks.is_regular()) return Sizes::regular(blocks.front().bytes, 0, blocks.size());
    Sizes found;
    for (const Place& place : blocks) found.push_back(place.bytes);
    return found;
}

bool are_alike(const Sizes& sizes) {
    return sizes.is_regular() && (sizes.size() < 2 || sizes.stride() == 0);
}

Bytes sum_of(const Sizes& sizes) {
    if (sizes.empty()) return 0;
    if (are_alike(sizes)) return sizes.front() * static_cast<Bytes>(sizes.size());
    return std::accumulate(sizes.begin(), sizes.end(), Bytes{0});
}

Bytes largest_of(const Sizes& sizes) {
    if (sizes.is_regular()) return std::max(sizes.front(), sizes.back());
    return std::ranges::max(sizes);
}

Sizes offsets(const Sizes& sizes, int first, int count) {
    if (!sizes.empty() && are_alike(sizes))
        return Sizes::regular(0, sizes.front(), static_cast<std::size_t>(count) + 1);
    const int n = static_cast<int>(sizes.size());
    Bytes end = 0;
    Sizes begins{end};
    for (int i = 0; i < count; ++i)
        begins.push_back(end += sizes[static_cast<std::size_t>(ring(first, i, n))]);
    return begins;
}

Place slice(const Place& whole, const Sizes& offsets, int from, int to) {
    const Bytes begin = offsets[static_cast<std::size_t>(from)];
    return whole.part(begin, offsets[static_cast<std::size_t>(to)] - begin);
}

Blocks slices(const Place& whole, const Sizes& sizes) {
    if (!sizes.empty() && are_alike(sizes))
        return Blocks::regular(whole.part(0, sizes.front()), sizes.front(), sizes.size());
    Blocks found;
    Bytes begin = 0;
    for (const Bytes size : sizes) {
        found.push_back(whole.part(begin, size));
        begin += size;
    }
    return found;
}

} // namespace mpix::plan
