// SPDX-License-Identifier: BSD-3-Clause
// Laying out the blocks of a side.
#include "sides.hpp"

#include <algorithm>
#include <numeric>

namespace fuzz {
namespace {

void measure(const Types& types, Side& side) {
    bool any = false;
    for (const Block& block : side.blocks) {
        const Layout& layout = types[block.type].layout;
        if (block.count == 0 || layout.size == 0) continue;
        const Offset low = block.place + layout.true_lower;
        const Offset high = block.place + (block.count - 1) * layout.extent() + layout.true_upper;
        side.low = any ? std::min(side.low, low) : low;
        side.high = any ? std::max(side.high, high) : high;
        any = true;
    }
}

Offset up_to_16(Offset value) { return (value + 15) & ~Offset{15}; }

} // namespace

long pick_units(Random& random, Offset unit_size, long blocks) {
    const long most = std::max(1L, 1'200'000 / (unit_size * std::max(blocks, 1L)));
    long units = 0;
    switch (random.weighted({8, 12, 30, 26, 18, 6})) {
    case 0: break;
    case 1: units = 1; break;
    case 2: units = random.between(2, 9); break;
    case 3: units = 2 * random.between(5, 48) + 1; break;
    case 4: units = random.between(100, 1500); break;
    default: units = random.between(60'000, 140'000) / unit_size; break;
    }
    return std::min(units, most);
}

Signature pick_signature(Random& random) {
    const Base simple = random.pick({Base::integer, Base::real, Base::character, Base::byte,
                                     Base::short_int, Base::long_int, Base::single});
    if (random.chance(35)) return {simple};
    Signature signature(at(random.between(1, 7)), simple);
    if (random.chance(35))
        for (Base& base : signature) base = random.pick({simple, Base::integer, Base::real});
    return signature;
}

SideMaker::SideMaker(Random& random, Types& types, const Signature& signature, bool plain)
    : random_(random), types_(types), unit_size_(0) {
    for (const Base base : signature) unit_size_ += facts(base).parts[0].size;
    if (plain && signature.size() == 1) {
        choices_.push_back({Types::named(signature[0]), 1});
        return;
    }
    Signature repeated;
    for (const long units : {1, 1, 2, 3}) {
        repeated.clear();
        for (long i = 0; i < units; i++)
            repeated.insert(repeated.end(), signature.begin(), signature.end());
        choices_.push_back(
            {types.make(random, repeated, static_cast<int>(random.between(0, 3))), units});
    }
}

SideMaker::SideMaker(Random& random, Types& types, int type)
    : random_(random), types_(types), choices_{{type, 1}}, unit_size_(types[type].layout.size) {}

// One whose elements fill every block.
SideMaker::Choice SideMaker::choose(const std::vector<long>& units) {
    long common = 0;
    for (const long block : units) common = std::gcd(common, block);
    std::vector<Choice> fitting;
    for (const Choice& choice : choices_)
        if (common % choice.units == 0) fitting.push_back(choice);
    return random_.pick(fitting);
}

std::vector<std::size_t> SideMaker::order_of(std::size_t blocks) {
    std::vector<std::size_t> order(blocks);
    std::iota(order.begin(), order.end(), std::size_t{0});
    if (random_.chance(30))
        std::reverse(order.begin(), order.end());
    else if (random_.chance(30))
        random_.shuffle(order);
    return order;
}

Side SideMaker::side_by_side(const std::vector<long>& units) {
    const Choice choice = choose(units);
    const Offset extent = types_[choice.type].layout.extent();
    Side side;
    side.type = choice.type;
    Offset place = 0;
    for (const long block : units) {
        side.counts.push_back(block / choice.units);
        side.blocks.push_back({choice.type, side.counts.back(), place});
        place += side.counts.back() * extent;
    }
    side.count = side.counts.empty() ? 0 : side.counts[0];
    return side;
}

// Places in extents. Read blocks may overlap.
Side SideMaker::placed(const std::vector<long>& units, bool written) {
    const Choice choice = choose(units);
    const Offset extent = types_[choice.type].layout.extent();
    const bool same = !written && random_.chance(15);
    Side side;
    side.type = choice.type;
    side.counts.resize(units.size());
    side.places.resize(units.size());
    side.blocks.resize(units.size());
    long cursor = random_.chance(20) ? -random_.below(4) : random_.below(3);
    for (const std::size_t b : order_of(units.size())) {
        side.counts[b] = units[b] / choice.units;
        side.places[b] = cursor;
        side.blocks[b] = {choice.type, side.counts[b], cursor * extent};
        if (!same) cursor += side.counts[b] + random_.below(3);
    }
    return side;
}

// Places in bytes, and a datatype for each block.
Side SideMaker::placed_in_bytes(const std::vector<long>& units, bool written) {
    const bool same = !written && random_.chance(15);
    Side side;
    side.counts.resize(units.size());
    side.places.resize(units.size());
    side.types.resize(units.size());
    side.blocks.resize(units.size());
    Offset cursor = 16 * random_.between(-2, 2);
    for (const std::size_t b : order_of(units.size())) {
        const Choice choice = choose({units[b]});
        const Layout& layout = types_[choice.type].layout;
        const long count = units[b] / choice.units;
        const Offset place = up_to_16(cursor - layout.true_lower);
        side.counts[b] = count;
        side.places[b] = place;
        side.types[b] = choice.type;
        side.blocks[b] = {choice.type, count, place};
        if (!same && count > 0)
            cursor = place + (count - 1) * layout.extent() + layout.true_upper + random_.below(9);
    }
    return side;
}

Side SideMaker::make(Shape shape, const std::vector<long>& units, bool written) {
    Side side;
    switch (shape) {
    case Shape::none: break;
    case Shape::placed: side = placed(units, written); break;
    case Shape::placed_in_bytes: side = placed_in_bytes(units, written); break;
    default: side = side_by_side(units); break;
    }
    side.use = Use::given;
    measure(types_, side);
    return side;
}

} // namespace fuzz
