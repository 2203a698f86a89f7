// SPDX-License-Identifier: BSD-3-Clause
//
// Lines that several queues share: their messages do not touch each other's, and the memory is
// another's only when all of them are gone.
#include "shmem/packed_slots.hpp"

#include "catch2.hpp"
#include "shmem/queue.hpp"

#include <array>
#include <memory>
#include <random>
#include <vector>

using namespace mpix::shmem;

namespace {

constexpr std::uint16_t slots = 8;

Design short_message(std::uint64_t bytes) {
    Design design;
    design.bytes = bytes;
    design.chunk = static_cast<std::uint32_t>(bytes);
    design.slots = slots;
    design.shares_lines = true;
    design.acknowledge_every = 2;
    return design;
}

// Both ends of a queue with a place in such lines.
struct Channel {
    Channel(std::int64_t reader, std::uint64_t bytes) : design(short_message(bytes)) {
        lines = PackedSlots::take_place(reader, design);
        out = std::make_unique<Sender>(design, segment().memory());
        in = std::make_unique<Receiver>(design, segment().memory(), 0);
    }
    Block& block() const { return *reinterpret_cast<Block*>(segment().memory() + design.lines); }

    bool put() {
        const std::uint64_t word = sent * 1'000 + design.place;
        if (!out->has_room()) return false;
        out->put(reinterpret_cast<const std::byte*>(&word));
        ++sent;
        return true;
    }
    // 0: nothing has come; 1: what should; -1: something else.
    int take() {
        std::uint64_t word = 0;
        if (!in->copy_to(reinterpret_cast<std::byte*>(&word))) return 0;
        return word == received++ * 1'000 + design.place ? 1 : -1;
    }

    Design design;
    std::shared_ptr<PackedSlots> lines;
    std::unique_ptr<Sender> out;
    std::unique_ptr<Receiver> in;
    std::uint64_t sent = 0, received = 0;
};

std::vector<Channel> channels(std::size_t count, std::int64_t reader, std::uint64_t bytes) {
    std::vector<Channel> made;
    for (std::size_t i = 0; i < count; ++i) made.emplace_back(reader, bytes);
    return made;
}

std::uint64_t line_of(const Channel& channel) {
    return channel.design.first_slot_at() / cache_line;
}

} // namespace

TEST_CASE("four short messages stand in one line, a fifth opens others") {
    const std::vector<Channel> five = channels(5, 1, 8);
    for (std::size_t i = 0; i < 4; ++i) {
        CHECK(five[i].lines == five[0].lines);
        CHECK(five[i].design.place == i);
        CHECK(five[i].design.sharers == 4);
        CHECK(line_of(five[i]) == line_of(five[0]));
        CHECK(five[i].design.stride() == cache_line);
    }
    CHECK(five[4].lines != five[0].lines);
    CHECK(five[4].design.place == 0);
    CHECK(five[4].design.lines != five[0].design.lines);
}

TEST_CASE("longer messages share a line with fewer others") {
    const std::vector<Channel> three = channels(3, 2, 24);
    CHECK(three[1].lines == three[0].lines);
    CHECK(three[0].design.sharers == 2);
    CHECK(three[2].lines != three[0].lines);
}

TEST_CASE("lines are shared with those to the same process, of one size, and no others") {
    const Channel to_three(3, 8), to_four(4, 8), longer(3, 24), again(3, 8);
    CHECK(to_four.lines != to_three.lines);
    CHECK(longer.lines != to_three.lines);
    CHECK(again.lines == to_three.lines);
}

TEST_CASE("messages in shared lines arrive whole and in order, however their turns come") {
    std::vector<Channel> four = channels(4, 5, 8);
    std::mt19937 random(1);
    std::array<int, 3> seen{};
    for (int turn = 0; turn < 20'000; ++turn) {
        Channel& channel = four[random() % 4];
        if (random() % 2) {
            const bool is_full = channel.sent - channel.received == slots;
            if (channel.put() && is_full) FAIL("there was no room for it");
        } else {
            const bool is_empty = channel.sent == channel.received;
            const int taken = channel.take();
            REQUIRE(taken == (is_empty ? 0 : 1));
            ++seen[static_cast<std::size_t>(taken)];
        }
    }
    CHECK(seen[0] > 1'000);
    CHECK(seen[1] > 1'000);
}

TEST_CASE("the block of shared lines counts those who read it, and waits for them all") {
    Block* block = nullptr;
    {
        std::vector<Channel> three = channels(3, 6, 8);
        block = &three[0].block();
        leave(*block);
        three.erase(three.begin());
        CHECK(block->users == 0); // not retired: two have places yet
        const Channel fourth(6, 8);
        CHECK(&fourth.block() == block);
    }
    CHECK(block->users == 4);
    for (int i = 0; i < 3; ++i) leave(*block);
    CHECK(block->done == 4);
}
