// SPDX-License-Identifier: BSD-3-Clause
//
// Finding the open line of a process, with a place that is free.
#include "shmem/packed_slots.hpp"

#include <map>
#include <tuple>

namespace mpix::shmem {
namespace {

// By reader, bytes from slot to slot, and slots: lines with places that are free.
using Kind = std::tuple<std::int64_t, std::uint64_t, std::uint16_t>;

std::map<Kind, std::weak_ptr<PackedSlots>>& open_lines() {
    static auto& all = *new std::map<Kind, std::weak_ptr<PackedSlots>>; // never destroyed
    return all;
}

} // namespace

std::shared_ptr<PackedSlots> PackedSlots::take_place(std::int64_t process, Design& design) {
    const Kind kind{process, design.own_stride(), design.slots};
    design.sharers = static_cast<std::uint8_t>(cache_line / design.own_stride());
    const auto found = open_lines().find(kind);
    std::shared_ptr<PackedSlots> lines =
        found == open_lines().end() ? nullptr : found->second.lock();
    if (!lines) {
        Block* const block = new_block(design.size(), 0);
        if (!block) return nullptr;
        lines = std::make_shared<PackedSlots>(block);
        open_lines()[kind] = lines;
    }
    lines->take(design);
    if (lines->taken_ == design.sharers) open_lines().erase(kind);
    return lines;
}

void PackedSlots::take(Design& design) {
    design.place = taken_++;
    design.lines = segment().offset(reinterpret_cast<std::byte*>(block_));
    design.slots_at = segment().offset(block_->data());
}

PackedSlots::~PackedSlots() {
    block_->users = taken_;
    retire(block_);
}

} // namespace mpix::shmem
