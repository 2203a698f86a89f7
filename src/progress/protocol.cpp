// SPDX-License-Identifier: BSD-3-Clause
//
// The cheapest way, by what was measured.
#include "progress/protocol.hpp"

#include "shmem/segment.hpp"

#include <algorithm>
#include <bit>

namespace mpix::progress {

using plan::Action;
using shmem::Design;
using shmem::Protocol;

namespace {

// Up to `whole` bytes a message is one chunk; beyond it goes in chunks, so that both ends work at
// once. What partitions wait for is to be there soon, and goes in smaller ones; where rounds follow
// each other those would only cost more.
constexpr std::uint64_t whole = 8 << 10, chunk = 32 << 10, pieces = 8;

std::uint64_t chunk_of(std::uint64_t bytes, bool is_urgent) {
    if (bytes <= whole) return bytes;
    if (!is_urgent) return std::min(chunk, bytes);
    return std::clamp(shmem::round_up(bytes / pieces, shmem::cache_line), whole, chunk);
}

// The most that shares lines with others: where two ranks are at one line it goes to and fro.
constexpr std::uint64_t shared = 24;

// How far a sender may run ahead: further where the receiver may have no core for a while, and
// where nothing comes back that would hold it up. Then slots are not in the receiver's caches any
// more when they are written again, which is twice as fast.
std::uint16_t slots_of(std::uint64_t bytes, bool is_crowded, bool is_answered) {
    if (bytes <= shared) return is_crowded ? 512 : 32;
    if (bytes <= Design::small) return is_crowded ? 128 : 32;
    if (bytes <= whole) return is_crowded ? 64 : is_answered ? 4 : 32;
    return is_crowded || !is_answered ? 16 : 4;
}

// Of a queue with room for several the least: a short one is acknowledged once a quarter of it.
constexpr std::uint64_t least_small = 8, least_long = 2;
std::uint64_t least_slots(std::uint64_t bytes) {
    return bytes <= Design::small ? least_small : least_long;
}

// Every process of a node has queues, and maybe one to each: beyond a few processes slots are the
// fewer the more there are, until they take next to nothing.
constexpr std::uint64_t next_to_nothing = 512;
std::uint16_t slots_among(int sharers, const Design& design) {
    const auto times = static_cast<std::uint64_t>(std::max(sharers / shmem::few_sharers, 1));
    const auto least =
        std::bit_floor(std::max(least_slots(design.bytes), next_to_nothing / design.own_stride()));
    return static_cast<std::uint16_t>(std::min<std::uint64_t>(
        design.slots, std::max(std::bit_floor(design.slots / times), least)));
}

// The least that is worth another way than through the caches.
constexpr std::uint64_t least_streamed = 1 << 10, least_mapped = 2 << 10, least_read = 32 << 10;
// The least that is left to be read while the sender works, and how much longer that may take.
constexpr std::uint64_t least_left = 64 << 10;
constexpr double spared = 4;

// A channel has room for all that it may send at once, if that is no more than this, and need not
// have more: whoever sends the next waits for the receiver anyway.
constexpr std::uint64_t room_of_all = 1 << 20;

void make_room(Design& design, std::uint64_t at_once) {
    const auto slots = std::bit_ceil(std::max(least_slots(design.bytes), at_once));
    if (slots > design.slots && slots * design.stride() > room_of_all) return;
    design.slots = static_cast<std::uint16_t>(std::min(slots, std::uint64_t{1} << 15));
}

Design staged(std::uint64_t bytes, bool is_answered, const Traits& traits,
              const shmem::Costs& costs, int sharers) {
    Design design;
    design.bytes = bytes;
    const std::uint64_t part = chunk_of(bytes, traits.is_marked);
    const std::uint64_t parts = part ? (bytes + part - 1) / part : 1;
    design.chunk = static_cast<std::uint32_t>(part);
    // An answer in the same round tells that the round before is done: two places do.
    const bool is_free = is_answered && parts == 1;
    if (is_free) {
        design.slots = 2;
        return design;
    }
    design.shares_lines = bytes <= shared;
    design.slots = slots_of(bytes, costs.is_crowded(), is_answered || traits.is_marked);
    if (parts > 1) // as far ahead as with long chunks
        design.slots =
            std::max(design.slots, static_cast<std::uint16_t>(std::bit_ceil(4 * chunk / part)));
    design.slots = slots_among(sharers, design);
    if (traits.at_once > 1 || (traits.at_once == 1 && parts == 1))
        make_room(design, traits.at_once * parts);
    const int seldom = bytes <= Design::small ? std::min(design.slots / 4, 128) : 1;
    design.acknowledge_every = static_cast<std::uint8_t>(traits.is_synchronous ? 1 : seldom);
    return design;
}

bool has(std::span<const plan::Step> steps, Action action) {
    return std::ranges::any_of(steps,
                               [&](const plan::Step& step) { return step.action == action; });
}

} // namespace

// Who sends and receives has no core to spare for the copy at the other end.
Traits::Traits(const plan::Plan& plan, std::size_t way)
    : combines(has(plan.steps_of(way), Action::combine)), is_marked(plan.partitions() > 0) {
    const std::span<const plan::Step> steps = plan.steps_of(way);
    const bool sends = has(steps, Action::send);
    if (plan.slots > 0 && sends) {
        is_synchronous = steps.back().is_synchronous;
        at_once = steps.size();
    }
    if (!sends) return;
    if (has(steps, Action::recv) || combines)
        copies = 2;
    else if (plan.slots == 0) // beside its own block, which it copies
        for (const plan::Step& step : steps)
            if (step.action == Action::send || step.action == Action::copy)
                bytes_alone += static_cast<double>(step.bytes);
}

Design design_of(std::uint64_t bytes, const std::byte* source, bool is_answered,
                 const Traits& traits, bool can_read, const shmem::Costs& costs, int sharers) {
    const double through = costs.cached.of(bytes), past = costs.streamed.of(bytes);
    const double staging = std::min(through, past);
    // Where ranks take turns on a core, that of the other end is this one. What is to be combined
    // is read to a place of its own first, where it stays in the cache if nobody else needs that.
    const bool is_crowded = costs.is_crowded();
    const double copies = is_crowded ? 2 : traits.copies;
    const double copies_spared = traits.combines && !is_crowded ? 1 : copies;
    // Of a collective's messages that nothing comes back for the sender stages the next while the
    // receiver takes one; a channel may have another one back. Those of one sender to several it
    // stages in turn, where these would take them at once.
    const bool is_ahead = copies == 1 && traits.at_once == 0 && !traits.is_marked;
    const bool is_in_turn = is_ahead && !traits.is_pipeline && bytes > 0;
    const double in_turn =
        is_in_turn ? std::max(traits.bytes_alone / static_cast<double>(bytes), 1.0) : 1;
    if (bytes >= least_mapped && shmem::segment().contains(source) &&
        costs.mapped.of(bytes) < (is_ahead ? in_turn / 2 : copies) * staging)
        return Design::in_place(Protocol::mapped, bytes);
    if (can_read && bytes >= least_read &&
        costs.read.of(bytes) < (is_ahead ? 0.5 : copies_spared) * staging)
        return Design::in_place(Protocol::read, bytes);
    const bool is_near = can_read && costs.read.of(bytes) < spared * staging;
    // The messages of a channel are sent when they are put.
    const bool prefers = is_near && bytes >= least_read && !traits.is_marked &&
                         traits.at_once == 0 && !traits.is_pipeline;
    Design design = staged(bytes, is_answered && !prefers, traits, costs, sharers);
    design.streams = bytes >= least_streamed && past < through;
    design.prefers = prefers;
    design.may_leave =
        prefers || (traits.is_marked && !traits.combines && is_near && bytes >= least_left);
    return design;
}

} // namespace mpix::progress
