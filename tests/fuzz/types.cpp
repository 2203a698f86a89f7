// SPDX-License-Identifier: BSD-3-Clause
// The growing of random types: a signature is split, repeated and wrapped until single elements are
// left.
#include "types.hpp"

#include <algorithm>

namespace fuzz {
namespace {

Offset round_up(Offset value, Offset to) {
    return ((value % to) + to) % to == 0 ? value : value + to - ((value % to) + to) % to;
}

// The length of the shortest signature of which this one is a repetition.
std::size_t period(const Signature& signature) {
    const std::size_t length = signature.size();
    for (std::size_t p = 1; p < length; p++) {
        if (length % p != 0) continue;
        bool repeats = true;
        for (std::size_t i = p; i < length && repeats; i++)
            repeats = signature[i] == signature[i - p];
        if (repeats) return p;
    }
    return length;
}

} // namespace

Types::Types() {
    for (int base = 0; base <= static_cast<int>(Base::short_and_int); base++) {
        Type type;
        type.base = static_cast<Base>(base);
        add(type);
    }
}

int Types::add(Type type) {
    std::vector<const Layout*> inner;
    for (const int number : type.inner) inner.push_back(&(*this)[number].layout);
    type.layout = lay_out(type, inner);
    types_.push_back(std::move(type));
    return static_cast<int>(types_.size()) - 1;
}

int Types::add_contiguous(int inner, int count) {
    return add({Constructor::contiguous, {}, {count}, {}, {inner}, {}});
}

int Types::repeat_vector(Random& random, int inner, int count) {
    const Layout& unit = (*this)[inner].layout;
    int length = count;
    for (const int part : {5, 4, 3, 2, 1})
        if (count % part == 0 && random.chance(50)) length = part;
    const auto blocks = count / length;
    // Open MPI 4.1.4 takes a stride of -1 byte for one of 1.
    const bool backwards = unit.extent() > 1 && random.chance(20);
    if (random.chance(50)) {
        const Offset stride = length + random.below(4);
        return add({Constructor::vector,
                    {},
                    {blocks, length},
                    {backwards ? -stride : stride},
                    {inner},
                    {}});
    }
    const Offset stride = length * unit.extent() + random.below(4) * unit.alignment;
    return add(
        {Constructor::hvector, {}, {blocks, length}, {backwards ? -stride : stride}, {inner}, {}});
}

int Types::repeat_indexed(Random& random, int inner, int count) {
    const Layout& unit = (*this)[inner].layout;
    const int even = count % 2 == 0 && random.chance(40) ? count / 2 : 0;
    std::vector<int> lengths;
    for (int left = count; left > 0;) {
        if (even == 0 && random.chance(15)) lengths.push_back(0);
        lengths.push_back(even > 0 ? even : static_cast<int>(random.between(1, left)));
        left -= lengths.back();
    }
    const bool in_bytes = even == 0 && random.chance(40);
    std::vector<std::size_t> order;
    for (std::size_t b = 0; b < lengths.size(); b++) order.push_back(b);
    if (random.chance(40)) random.shuffle(order);
    std::vector<Offset> places(lengths.size());
    Offset cursor = random.chance(25) ? -random.below(6) : random.below(4);
    for (const std::size_t b : order) {
        places[b] = in_bytes ? cursor * unit.extent() : cursor;
        cursor += lengths[b] + random.below(3);
    }
    if (even > 0) return add({Constructor::indexed_block, {}, {even}, places, {inner}, {}});
    return add({in_bytes ? Constructor::hindexed : Constructor::indexed,
                {},
                lengths,
                places,
                {inner},
                {}});
}

int Types::repeat(Random& random, int inner, int count) {
    switch (random.weighted({2, 4, 4})) {
    case 0: return add_contiguous(inner, count);
    case 1: return repeat_vector(random, inner, count);
    default: return repeat_indexed(random, inner, count);
    }
}

// Blocks at rising or mixed places. The bounds of a bare structure depend on the host's alignment
// rule, so a resized one surrounds it.
int Types::structure(Random& random, const Signature& signature, int depth) {
    Type type;
    type.constructor = Constructor::structure;
    for (std::size_t at = 0; at < signature.size();) {
        const auto left = static_cast<long>(signature.size() - at);
        const auto length = static_cast<std::size_t>(depth > 0 ? random.between(1, left) : 1);
        const auto from = signature.begin() + static_cast<std::ptrdiff_t>(at);
        type.inner.push_back(
            grow(random, Signature(from, from + static_cast<std::ptrdiff_t>(length)), depth - 1));
        type.lengths.push_back(1);
        at += length;
    }
    std::vector<std::size_t> order;
    for (std::size_t b = 0; b < type.inner.size(); b++) order.push_back(b);
    if (random.chance(40)) random.shuffle(order);
    type.places.resize(order.size());
    Offset cursor = 8 * random.between(-4, 3);
    for (const std::size_t b : order) {
        const Layout& block = (*this)[type.inner[b]].layout;
        type.places[b] = round_up(cursor - block.true_lower, 8);
        cursor = type.places[b] + block.true_upper + random.below(12);
    }
    return resize(random, add(std::move(type)), true);
}

// Loosely: any bounds, else bounds around the data.
int Types::resize(Random& random, int inner, bool loosely) {
    const Layout& of = (*this)[inner].layout;
    const Offset step = std::max<Offset>(of.alignment, 1);
    const Offset span = round_up(of.true_upper - of.true_lower, step);
    Offset lower = round_up(of.true_lower, step) - (of.true_lower % step == 0 ? 0 : step);
    if (loosely) lower += step * random.between(-3, 2);
    const Offset extent = span + step + (loosely ? step * random.below(5) : 0);
    return add({Constructor::resized, {}, {}, {lower, extent}, {inner}, {}});
}

int Types::grow(Random& random, const Signature& signature, int depth) {
    const std::size_t unit = period(signature);
    const auto repeats = static_cast<int>(signature.size() / unit);
    int made = 0;
    if (signature.size() == 1) {
        made = named(signature[0]);
    } else if (depth <= 0 && unit == 1) {
        made = add_contiguous(named(signature[0]), repeats);
    } else if (repeats > 1 && (depth <= 0 || random.chance(75))) {
        const Signature part(signature.begin(),
                             signature.begin() + static_cast<std::ptrdiff_t>(unit));
        made = repeat(random, grow(random, part, depth - 1), repeats);
    } else {
        made = structure(random, signature, depth);
    }
    if (depth > 0 && random.chance(15)) made = resize(random, made, true);
    if (depth > 0 && random.chance(10))
        made = add({Constructor::duplicate, {}, {}, {}, {made}, {}});
    return made;
}

// An extent shorter than the data, so that adjacent elements interleave; the type itself where
// they would touch.
int Types::interleave(Random& random, int inner) {
    const Layout& of = (*this)[inner].layout;
    const Offset span = of.true_upper - of.true_lower;
    const Offset extent =
        of.alignment * random.between(1, std::max(span / of.alignment, Offset{1}));
    if (span / extent > 64) return inner;
    Layout denser = of;
    denser.upper = denser.lower + extent;
    if (overlaps_itself(denser, span / extent + 2)) return inner;
    return add({Constructor::resized, {}, {}, {of.lower, extent}, {inner}, {}});
}

int Types::make(Random& random, const Signature& signature, int depth) {
    if (signature.size() == 1 && random.chance(60)) return named(signature[0]);
    const int made = grow(random, signature, depth);
    return random.chance(25) ? interleave(random, made) : made;
}

std::string Types::text(int number) const {
    const Type& type = (*this)[number];
    const auto list = [](const auto& values) {
        std::string text;
        for (const auto value : values) text += (text.empty() ? "" : ",") + std::to_string(value);
        return "[" + text + "]";
    };
    static const char* const names[] = {"",        "contiguous", "vector",        "hvector",
                                        "indexed", "hindexed",   "indexed_block", "structure",
                                        "resized", "dup"};
    if (type.constructor == Constructor::named) return facts(type.base).name;
    std::string text = names[static_cast<std::size_t>(type.constructor)];
    text += "(";
    if (!type.lengths.empty()) text += list(type.lengths) + " ";
    if (!type.places.empty()) text += "at " + list(type.places) + " ";
    for (std::size_t i = 0; i < type.inner.size(); i++)
        text += (i == 0 ? "of " : ", ") + this->text(type.inner[i]);
    return text + ")";
}

} // namespace fuzz
