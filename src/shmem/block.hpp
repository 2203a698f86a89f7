// SPDX-License-Identifier: BSD-3-Clause
//
// A block of the segment that other processes use too. Its memory is free when its owner and all
// its users are done with it, in whatever order.
#pragma once

#include "shmem/queue.hpp"

namespace mpix::shmem {

struct alignas(cache_line) Block {
    Number done;             // users that have left: fetch_add with release, loaded with acquire
    std::uint64_t users = 0; // the owner's
    Block* next = nullptr;   // the owner's: of the retired
    std::byte* data() { return reinterpret_cast<std::byte*>(this + 1); }
};

// Zeroed data for `bytes`; null if there is no room.
Block* new_block(std::size_t bytes, std::uint64_t users);

// The owner is done.
void retire(Block* block) noexcept;

// A user is done, and must not touch it again.
inline void leave(Block& block) { block.done.fetch_add(1, std::memory_order_release); }

} // namespace mpix::shmem
