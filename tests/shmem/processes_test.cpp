// SPDX-License-Identifier: BSD-3-Clause
//
// The two ends of a queue in two processes: the sink's process maps the source's segment, as it
// does under mpirun.
#include "forked.hpp"
#include "queues.hpp"

#include "catch2.hpp"
#include "shmem/block.hpp"
#include "shmem/peer.hpp"

#include <sched.h>

using namespace mpix::shmem;
using namespace mpix::shmem::test;

namespace {

constexpr std::uint64_t rounds = 40;

// A block in the segment of this process with the slots and, behind them, the source.
struct Place {
    explicit Place(const Shape& shape)
        : design(shape.design()), block(new_block(design.size() + shape.bytes, 1)) {
        design.slots_at = segment().offset(block->data());
        source = block->data() + design.size();
    }

    Design design;
    Block* const block;
    std::byte* source;
};

template<class Step>
bool is_done_in_time(Step step) {
    for (int turn = 0; turn < 50'000'000; ++turn) {
        if (step()) return true;
        sched_yield();
    }
    return false;
}

std::string receive(const Ticket& ticket, const Place& place) {
    const Peer peer(ticket);
    if (!peer.is_there()) return "the segment is not there\n";
    Receiver in(place.design, peer.at(0), ticket.process);
    std::vector<std::byte> to(place.design.bytes);
    for (std::uint64_t round = 0; round < rounds; ++round) {
        in.begin();
        if (!is_done_in_time([&] { return in.copy_to(to.data()); })) return "nothing comes\n";
        if (in.failed()) return "reading is refused\n";
        if (!holds(to.data(), to.size(), round)) return "other data\n";
    }
    leave(*reinterpret_cast<Block*>(peer.at(place.design.slots_at) - sizeof(Block)));
    return "";
}

std::string send(Place& place) {
    Sender out(place.design, segment().memory());
    for (std::uint64_t round = 0; round < rounds; ++round) {
        fill(place.source, place.design.bytes, round);
        begin(out, place.source, round);
        if (!is_done_in_time([&] { return out.proceed(); })) return "nobody takes it\n";
        fill(place.source, place.design.bytes, ~round);
    }
    return "";
}

// Whether the kernel lets a child read its parent.
bool can_be_read() {
    const std::uint64_t address = reinterpret_cast<std::uintptr_t>(&segment().ticket().nonce);
    return in_child([address, process = getpid()] {
               std::uint64_t nonce = 0;
               return unless(read_memory(process, address, &nonce, sizeof nonce), "refused");
           }) == "";
}

} // namespace

TEST_CASE("two processes: messages arrive in every way") {
    REQUIRE(segment().is_there());
    const bool is_readable = can_be_read();
    for (const std::uint64_t bytes : {8, 512, 8'192, 100'000})
        for (const Shape& shape : shapes(static_cast<std::uint64_t>(bytes))) {
            if (shape.may_be_read() && !is_readable) continue;
            INFO(shape.text());
            Place place(shape);
            Child sink([&place, ticket = segment().ticket()] { return receive(ticket, place); });
            CHECK(send(place) == "");
            CHECK(sink.end() == "");
            CHECK(place.block->done == 1);
            retire(place.block);
        }
}
