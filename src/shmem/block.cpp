// SPDX-License-Identifier: BSD-3-Clause
//
// Retired blocks wait in a queue. Each new block looks at a few of them, so that none costs much.
#include "shmem/block.hpp"

#include <cstring>
#include <new>
#include <utility>

namespace mpix::shmem {
namespace {

constexpr int looks = 8;

struct Queue {
    std::mutex mutex;
    Block* first = nullptr;
    Block* last = nullptr;

    void push(Block* block) {
        block->next = nullptr;
        (last ? last->next : first) = block;
        last = block;
    }
    Block* pop() {
        Block* const block = first;
        if (block) first = block->next;
        if (!first) last = nullptr;
        return block;
    }
};
constinit Queue retired;

void free_retired() {
    const std::lock_guard lock(retired.mutex);
    for (int look = 0; look < looks; ++look) {
        Block* const block = retired.pop();
        if (!block) return;
        if (block->done.load(std::memory_order_acquire) == block->users)
            segment().free(reinterpret_cast<std::byte*>(block));
        else
            retired.push(block);
    }
}

} // namespace

Block* new_block(std::size_t bytes, std::uint64_t users) {
    free_retired();
    std::byte* const memory = segment().allocate(sizeof(Block) + bytes);
    if (!memory) return nullptr;
    std::memset(memory, 0, sizeof(Block) + bytes);
    Block* const block = new (memory) Block;
    block->users = users;
    return block;
}

void retire(Block* block) noexcept {
    const std::lock_guard lock(retired.mutex);
    retired.push(block);
}

} // namespace mpix::shmem
