// SPDX-License-Identifier: BSD-3-Clause
//
// Blocks: their memory is another's only when owner and users are done with it.
#include "shmem/block.hpp"

#include "catch2.hpp"
#include "file_size.hpp"
#include "forked.hpp"

#include <algorithm>
#include <cstring>
#include <thread>
#include <vector>

using namespace mpix::shmem;
using namespace mpix::shmem::test;

namespace {

// So large that only the place of one before can hold it.
constexpr std::size_t block_bytes = 4 << 20;

bool is_zero(Block* block, std::size_t bytes) {
    const std::byte* const data = block->data();
    return std::all_of(data, data + bytes, [](std::byte byte) { return byte == std::byte{0}; });
}

// Whether another block is given memory of this one.
bool is_free(const Block* block) {
    Block* const probe = new_block(block_bytes, 0);
    const auto apart =
        reinterpret_cast<const std::byte*>(probe) - reinterpret_cast<const std::byte*>(block);
    retire(probe);
    return std::abs(apart) < static_cast<std::ptrdiff_t>(block_bytes);
}

} // namespace

TEST_CASE("a block is zeroed, aligned and in the segment, whatever stood there") {
    for (const std::size_t bytes : {0u, 1u, 64u, 5'000u, 300'000u})
        for (int round = 0; round < 3; ++round) {
            Block* const block = new_block(bytes, 1);
            REQUIRE(block != nullptr);
            CHECK(is_in_segment(block));
            CHECK(reinterpret_cast<std::uintptr_t>(block->data()) % cache_line == 0);
            CHECK(is_zero(block, bytes));
            CHECK(block->done == 0);
            std::memset(block->data(), 0xff, bytes);
            leave(*block);
            retire(block);
        }
}

TEST_CASE("a block is free after its owner and all users, in whatever order they end") {
    for (unsigned users = 0; users <= 3; ++users)
        for (unsigned before = 0; before <= users; ++before) { // users that leave before the owner
            INFO(before << " of " << users << " users leave before the owner retires");
            Block* const block = new_block(block_bytes, users);
            REQUIRE(block != nullptr);
            unsigned left = 0;
            for (; left < before; ++left) {
                leave(*block);
                CHECK_FALSE(is_free(block));
            }
            retire(block);
            for (; left < users; ++left) {
                CHECK_FALSE(is_free(block));
                leave(*block);
            }
            CHECK(is_free(block));
        }
}

TEST_CASE("blocks whose users stay do not hide the others") {
    std::vector<Block*> kept;
    for (int i = 0; i < 100; ++i) {
        kept.push_back(new_block(100, 1));
        retire(kept.back());
    }
    std::size_t after_some = 0;
    for (int i = 0; i < 400; ++i) {
        Block* const block = new_block(block_bytes, 1);
        leave(*block);
        retire(block);
        if (i == 100) after_some = file_size(segment());
    }
    CHECK(file_size(segment()) == after_some);
    for (Block* const block : kept) leave(*block);
}

TEST_CASE("there is no block where there is no memory") {
    CHECK(in_child([] {
              if (!limit(RLIMIT_FSIZE, file_size(segment()) + (1 << 20)))
                  return unless(false, "setrlimit");
              Block* const none = new_block(std::size_t{1} << 30, 1);
              Block* const small = new_block(100, 0);
              return unless(!none, "there is one") + unless(small, "a small one is refused");
          }) == "");
}

// Users write until they leave; what they wrote must not reach the block that comes next.
TEST_CASE("a block is not used again before its users have left") {
    constexpr int rounds = 2'000, users = 2;
    constexpr std::size_t bytes = 2'000;
    std::atomic<Block*> shown[users] = {};
    std::vector<std::thread> threads;
    for (std::atomic<Block*>& mine : shown)
        threads.emplace_back([&mine, at = &mine - shown] {
            for (int round = 0; round < rounds; ++round) {
                Block* block = nullptr;
                while (!(block = mine.exchange(nullptr))) std::this_thread::yield();
                std::memset(block->data() + at * bytes, 0xff, bytes);
                leave(*block);
            }
        });
    int dirty = 0;
    for (int round = 0; round < rounds; ++round) {
        Block* const block = new_block(users * bytes, users);
        dirty += !is_zero(block, users * bytes);
        for (std::atomic<Block*>& user : shown) {
            while (user.load()) std::this_thread::yield();
            user = block;
        }
        retire(block);
    }
    for (std::thread& thread : threads) thread.join();
    CHECK(dirty == 0);
}
