// SPDX-License-Identifier: BSD-3-Clause
//
// Both ends of a queue in one thread, which take turns at random: all ways, sizes and numbers of
// slots.
#include "catch2.hpp"
#include "queues.hpp"

#include <random>

using namespace mpix;
using namespace mpix::shmem;
using namespace mpix::shmem::test;

namespace {

// One end: it begins a round and goes on with it, turn after turn.
class Source {
  public:
    explicit Source(Wire& wire) : wire_(wire) {}

    // False if there was nothing it could do.
    bool turn(std::uint64_t most_rounds) {
        if (!is_active_) {
            if (rounds == most_rounds) return false;
            fill(wire_.source.at(), wire_.shape.bytes, rounds);
            begin(wire_.out, wire_.source.at(), rounds);
            is_active_ = true;
        }
        if (!wire_.out.proceed()) {
            if (wire_.out.awaited().is_there()) wrong += "waits for what is there; ";
            return false;
        }
        fill(wire_.source.at(), wire_.shape.bytes, ~rounds); // it may change now
        is_active_ = false;
        ++rounds;
        return true;
    }
    bool waits_in_vain() const { return is_active_ && !wire_.out.awaited().is_there(); }

    std::uint64_t rounds = 0; // complete
    std::string wrong;

  private:
    Wire& wire_;
    bool is_active_ = false;
};

class Sink {
  public:
    explicit Sink(Wire& wire) : wire_(wire), to_(wire.shape.bytes) {}

    bool turn(std::uint64_t most_rounds) {
        if (!is_active_) {
            if (rounds == most_rounds) return false;
            fill(to_.at(), wire_.shape.bytes, ~rounds);
            wire_.in.begin();
            is_active_ = true;
        }
        const bool is_whole = wire_.in.copy_to(to_.at());
        if (!is_whole && wire_.in.awaited().is_there()) wrong += "waits for what is there; ";
        if (!is_whole) return false;
        if (!holds(to_.at(), wire_.shape.bytes, rounds))
            wrong += "round " + std::to_string(rounds) + " differs; ";
        if (wire_.in.failed()) wrong += "reading is refused; ";
        is_active_ = false;
        ++rounds;
        return true;
    }

    std::uint64_t rounds = 0;
    std::string wrong;

  private:
    Wire& wire_;
    Guarded to_;
    bool is_active_ = false;
};

// In a tenth of the turns as many as `source_share` are the source's.
std::string run_one_way(Wire& wire, std::uint64_t rounds, unsigned source_share, unsigned seed) {
    std::mt19937 random(seed);
    Source source(wire);
    Sink sink(wire);
    while (sink.rounds < rounds) {
        if (random() % 10 < source_share)
            source.turn(rounds);
        else
            sink.turn(rounds);
        if (sink.rounds > source.rounds + 1) return "the sink is ahead";
    }
    while (source.turn(rounds)) {}
    if (source.rounds != rounds) source.wrong += "the source does not end; ";
    return source.wrong + sink.wrong + (wire.is_intact() ? "" : "a margin is touched");
}

// Two processes that send each other a message in each round.
std::string run_exchange(const Shape& there, const Shape& back, std::uint64_t rounds,
                         unsigned seed) {
    std::mt19937 random(seed);
    Wire wires[] = {Wire(there), Wire(back)};
    Source sources[] = {Source(wires[0]), Source(wires[1])};
    Sink sinks[] = {Sink(wires[1]), Sink(wires[0])};
    std::uint64_t started[] = {1, 1};
    while (started[0] <= rounds || started[1] <= rounds) {
        const unsigned one = random() % 3 % 2;
        if (random() % 2) sources[one].turn(started[one]);
        if (random() % 2) sinks[one].turn(started[one]);
        if (started[one] <= rounds && sources[one].rounds == started[one] &&
            sinks[one].rounds == started[one])
            ++started[one];
    }
    const bool is_intact = wires[0].is_intact() && wires[1].is_intact();
    return sources[0].wrong + sources[1].wrong + sinks[0].wrong + sinks[1].wrong +
           (is_intact ? "" : "a margin is touched");
}

} // namespace

TEST_CASE("messages of all sizes arrive in every way, whoever is ahead") {
    for (const std::uint64_t bytes : sizes)
        for (const Shape& shape : shapes(bytes))
            for (const unsigned source_share : {1u, 5u, 9u}) {
                INFO(shape.text() << ", " << source_share << " of 10 turns are the source's");
                Wire wire(shape);
                CHECK(run_one_way(wire, 30, source_share, source_share) == "");
            }
}

TEST_CASE("answered messages need no acknowledgement in two slots") {
    for (const std::uint64_t bytes : sizes) {
        const Shape free = answered(bytes);
        for (const Shape& answer : shapes(bytes)) {
            INFO(free.text() << ", answered " << answer.text());
            CHECK(run_exchange(free, answer, 40, 1) == "");
        }
        CHECK(run_exchange(free, free, 200, 2) == "");
        CHECK(run_exchange(free, answered(0), 200, 3) == "");
    }
}

TEST_CASE("a source is ahead by the number of slots and no more") {
    for (const std::uint64_t bytes : sizes)
        for (const Shape& shape : shapes(bytes)) {
            INFO(shape.text());
            const bool is_whole = shape.chunk >= bytes && !shape.may_leave;
            Wire wire(shape);
            Source source(wire);
            while (source.turn(100)) {}
            if (shape.protocol != Protocol::staged) CHECK(source.rounds == 0);
            if (shape.protocol == Protocol::staged && is_whole) CHECK(source.rounds == shape.slots);
            if (shape.may_leave) CHECK(source.rounds == (shape.chunk * 4u >= bytes ? 1 : 0));
            if (shape.protocol == Protocol::staged && !is_whole)
                CHECK(source.rounds <= shape.slots / 2u);
            CHECK(source.waits_in_vain());
        }
}

TEST_CASE("a sink takes a long message chunk by chunk as it comes") {
    const Shape shape{Protocol::staged, 5'000, 504, 2};
    Wire wire(shape);
    fill(wire.source.at(), shape.bytes, 7);
    std::vector<std::byte> to(shape.bytes);
    wire.out.begin(wire.source.at());
    wire.in.begin();
    for (std::size_t part = 0; part < 4; ++part) { // two chunks each
        CHECK_FALSE(wire.out.proceed());
        CHECK_FALSE(wire.out.awaited().is_there());
        CHECK(wire.in.awaited().is_there());
        CHECK_FALSE(wire.in.copy_to(to.data()));
        CHECK_FALSE(wire.in.awaited().is_there());
        CHECK(wire.out.awaited().is_there());
        CHECK(holds(to.data(), (part + 1) * 2 * 504, 7));
    }
    CHECK(wire.out.proceed());
    CHECK(wire.in.copy_to(to.data()));
    CHECK(holds(to.data(), shape.bytes, 7));
}

TEST_CASE("a message that is not staged stays with its source until it was taken") {
    for (const Protocol protocol : {Protocol::mapped, Protocol::read}) {
        if (protocol == Protocol::read && !can_read()) continue;
        const Shape shape{protocol, 40'000, 0, 2};
        Wire wire(shape);
        std::vector<std::byte> to(shape.bytes);
        wire.out.begin(wire.source.at());
        CHECK_FALSE(wire.out.proceed());
        fill(wire.source.at(), shape.bytes, 3); // what it is when it is taken
        wire.in.begin();
        CHECK(wire.in.copy_to(to.data()));
        CHECK(holds(to.data(), shape.bytes, 3));
        CHECK(wire.out.awaited().is_there());
        CHECK(wire.out.proceed());
    }
}

TEST_CASE("memory that cannot be read makes the sink fail, and the source go on") {
    for (const Shape& shape :
         {Shape{Protocol::read, 100'000, 0, 2},
          Shape{Protocol::staged, 100'000, 16'384, 4, 1, false, false, true}}) {
        Wire wire(shape);
        std::vector<std::byte> to(shape.bytes);
        auto* const nowhere = reinterpret_cast<std::byte*>(8); // where nothing is mapped
        begin(wire.out, nowhere, 1);                           // left, if it may
        CHECK_FALSE(wire.out.proceed());
        wire.in.begin();
        CHECK(wire.in.copy_to(to.data()));
        CHECK(wire.in.failed());
        CHECK(wire.out.proceed());
    }
}

TEST_CASE("numbers go on beyond any number of slots") {
    for (const Shape& shape : shapes(8)) {
        INFO(shape.text());
        Wire wire(shape);
        CHECK(run_one_way(wire, shape.protocol == Protocol::read ? 1'000 : 70'000, 5, 11) == "");
    }
    CHECK(run_exchange(answered(8), answered(8), 70'000, 12) == "");
}

TEST_CASE("the count of what is taken is stored as seldom as was designed") {
    const Shape shape{Protocol::staged, 8, 8, 8, 4, true};
    Wire wire(shape);
    Source source(wire);
    Sink sink(wire);
    while (source.turn(100)) {}
    for (std::uint64_t taken = 1; taken <= 8; ++taken) {
        CHECK(sink.turn(100));
        CHECK(source.turn(100) == (taken % 4 == 0));
        while (source.turn(100)) {}
        CHECK(source.rounds == 8 + taken / 4 * 4);
    }
    CHECK(source.wrong + sink.wrong == "");
}

TEST_CASE("slots have lines of their own, or are as near as numbers may stand") {
    for (const std::uint64_t bytes : sizes)
        for (const Shape& shape : shapes(bytes)) {
            INFO(shape.text());
            const Design design = shape.design();
            const bool is_small = design.chunk <= Design::small;
            CHECK(design.data_at() == (is_small ? sizeof(Number) : cache_line));
            CHECK(design.stride() >= design.data_at() + design.chunk);
            CHECK(design.stride() % (design.shares_lines ? sizeof(Number) : cache_line) == 0);
            CHECK(design.size() >= cache_line + design.slots * design.stride());
            CHECK(design.size() % cache_line == 0);
            if (shape.shares_lines && bytes <= 8) CHECK(design.stride() == 16);
        }
}
