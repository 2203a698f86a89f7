// SPDX-License-Identifier: BSD-3-Clause
// Type maps and bounds, as MPI 4.1 sections 5.1.1 to 5.1.9 define them.
#include "types.hpp"

#include <algorithm>

namespace fuzz {
namespace {

// Gathers the blocks of a constructor into a layout.
struct Assembly {
    Layout layout;
    bool any = false;

    void add(const Layout& inner, Offset place, long length) {
        if (length <= 0) return;
        const Offset last = place + (length - 1) * inner.extent();
        for (long i = 0; i < length; i++)
            for (const Entry& entry : inner.map)
                layout.map.push_back({place + i * inner.extent() + entry.offset, entry.base});
        const Offset lower = place + inner.lower, upper = last + inner.upper;
        layout.lower = any ? std::min(layout.lower, lower) : lower;
        layout.upper = any ? std::max(layout.upper, upper) : upper;
        any = true;
    }
};

void measure(Layout& layout) {
    layout.size = 0;
    layout.alignment = 1;
    bool any = false;
    for (const Entry& entry : layout.map) {
        const BaseFacts& base = facts(entry.base);
        layout.alignment = std::max(layout.alignment, base.alignment);
        for (const Part& part : base.parts) {
            const Offset from = entry.offset + part.offset, to = from + part.size;
            layout.size += part.size;
            layout.true_lower = any ? std::min(layout.true_lower, from) : from;
            layout.true_upper = any ? std::max(layout.true_upper, to) : to;
            any = true;
        }
    }
}

} // namespace

Layout lay_out(const Type& type, const std::vector<const Layout*>& parts) {
    Assembly made;
    const auto& lengths = type.lengths;
    const auto& places = type.places;
    const Layout* inner = parts.empty() ? nullptr : parts[0];
    const auto blocks = static_cast<Offset>(places.size());
    switch (type.constructor) {
    case Constructor::named:
        made.layout.map = {{0, type.base}};
        made.layout.upper = facts(type.base).extent;
        break;
    case Constructor::contiguous: made.add(*inner, 0, lengths[0]); break;
    case Constructor::vector:
    case Constructor::hvector: {
        const Offset unit = type.constructor == Constructor::vector ? inner->extent() : 1;
        for (int b = 0; b < lengths[0]; b++) made.add(*inner, b * places[0] * unit, lengths[1]);
        break;
    }
    case Constructor::indexed:
    case Constructor::indexed_block:
    case Constructor::hindexed:
    case Constructor::structure:
        for (std::size_t b = 0; b < static_cast<std::size_t>(blocks); b++) {
            const bool in_bytes = type.constructor == Constructor::hindexed ||
                                  type.constructor == Constructor::structure;
            const Layout& block = type.constructor == Constructor::structure ? *parts[b] : *inner;
            const int length = lengths[type.constructor == Constructor::indexed_block ? 0 : b];
            made.add(block, places[b] * (in_bytes ? 1 : block.extent()), length);
        }
        break;
    case Constructor::resized:
        made.layout = *inner;
        made.layout.lower = places[0];
        made.layout.upper = places[0] + places[1];
        break;
    case Constructor::duplicate: made.layout = *inner; break;
    }
    measure(made.layout);
    return made.layout;
}

bool overlaps_itself(const Layout& layout, long count) {
    std::vector<std::pair<Offset, Offset>> spans;
    for (long i = 0; i < count; i++)
        for (const Entry& entry : layout.map)
            for (const Part& part : facts(entry.base).parts) {
                const Offset from = i * layout.extent() + entry.offset + part.offset;
                spans.emplace_back(from, from + part.size);
            }
    std::sort(spans.begin(), spans.end());
    for (std::size_t i = 1; i < spans.size(); i++)
        if (spans[i].first < spans[i - 1].second) return true;
    return false;
}

} // namespace fuzz
