// SPDX-License-Identifier: BSD-3-Clause
//
// Which way a message takes, for costs that leave no doubt.
#include "progress/protocol.hpp"

#include "catch2.hpp"
#include "shmem/segment.hpp"

#include <algorithm>
#include <vector>

using namespace mpix;
using plan::Action;
using shmem::Costs;
using shmem::Design;
using shmem::Protocol;

namespace {

progress::Traits traits(const std::vector<Action>& actions, std::size_t gates = 1,
                        plan::Bytes bytes = 0) {
    plan::Plan plan;
    plan.gates.resize(gates);
    for (const Action action : actions) plan.steps.push_back({.action = action, .bytes = bytes});
    return progress::Traits(plan);
}

const progress::Traits sends = traits({Action::send}),
                       passes = traits({Action::recv, Action::send}),
                       combines = traits({Action::send, Action::combine}),
                       marked = traits({Action::send}, 2),
                       sums_marked = traits({Action::send, Action::combine}, 2), channel = [] {
                           progress::Traits of = traits({Action::send});
                           of.at_once = 1;
                           return of;
                       }();

// A byte costs 1 through the caches; what a test does not set costs far more.
Costs costs() {
    Costs costs;
    costs.cached = {0, 1};
    costs.streamed = costs.read = costs.mapped = {0, 100};
    return costs;
}

Costs with(shmem::Cost Costs::*protocol, double per_byte) {
    Costs made = costs();
    made.*protocol = {0, per_byte};
    return made;
}

struct Question {
    const std::byte* source = nullptr;
    bool is_answered = false;
    progress::Traits traits = sends;
    bool can_read = true;
    int sharers = shmem::few_sharers;
};

Design design(std::uint64_t bytes, const Costs& costs, const Question& of = {}) {
    return progress::design_of(bytes, of.source, of.is_answered, of.traits, of.can_read, costs,
                               of.sharers);
}

std::byte* shared_memory() {
    static std::byte* const memory = shmem::segment().allocate(1 << 20);
    REQUIRE(memory != nullptr);
    return memory;
}

} // namespace

TEST_CASE("who sends and receives makes two copies in turn") {
    CHECK(traits({}).copies == 1);
    CHECK(sends.copies == 1);
    CHECK(traits({Action::recv, Action::copy}).copies == 1);
    CHECK(traits({Action::combine}).copies == 1);
    CHECK(passes.copies == 2);
    CHECK(combines.copies == 2);
    CHECK(combines.combines);
    CHECK_FALSE(passes.combines);
}

TEST_CASE("where ranks take turns on a core both copies of a staged message count") {
    Costs read = with(&Costs::read, 1.5), mapped = with(&Costs::mapped, 1.5);
    const Question of_memory{.source = shared_memory()};
    CHECK(design(100'000, read).protocol == Protocol::staged);
    CHECK(design(100'000, mapped, of_memory).protocol == Protocol::staged);
    read.ranks_per_core = mapped.ranks_per_core = 2;
    CHECK(design(100'000, read).protocol == Protocol::read);
    CHECK(design(100'000, mapped, of_memory).protocol == Protocol::mapped);
    CHECK(design(100'000, read, {.traits = combines}).protocol == Protocol::read);
}

TEST_CASE("a message of up to 32 KiB is staged in one chunk, a longer one in several") {
    for (const std::uint64_t bytes : {0, 1, 24, 25, 504, 505, 8192, 8193, 32'768}) {
        const Design whole = design(static_cast<std::uint64_t>(bytes), costs());
        CHECK(whole.protocol == Protocol::staged);
        CHECK(whole.bytes == bytes);
        CHECK(whole.is_one_chunk());
        CHECK(whole.shares_lines == (bytes <= 24));
    }
    const Design parts = design(100'000, costs());
    CHECK(parts.protocol == Protocol::staged);
    CHECK(parts.chunk == 32'768);
    CHECK(parts.slots == 16);
    CHECK(parts.acknowledge_every == 1);
}

TEST_CASE("a sender runs ahead as far as there are slots, further where ranks take turns") {
    Costs crowded = costs();
    crowded.ranks_per_core = 2;
    struct Row {
        std::uint64_t bytes;
        int slots, slots_of_crowd;
    };
    for (const Row row :
         {Row{24, 32, 512}, Row{504, 32, 128}, Row{8192, 32, 64}, Row{8193, 16, 16}}) {
        INFO(row.bytes << " bytes");
        CHECK(design(row.bytes, costs()).slots == row.slots);
        CHECK(design(row.bytes, crowded).slots == row.slots_of_crowd);
    }
    CHECK(design(100'000, costs(), {.is_answered = true}).slots == 4);
    CHECK(design(504, costs()).acknowledge_every == 8);
    CHECK(design(504, crowded).acknowledge_every == 32);
    CHECK(design(505, crowded).acknowledge_every == 1);
}

TEST_CASE("the more processes share a node, the fewer slots, but for what takes next to nothing") {
    Costs crowded = costs();
    crowded.ranks_per_core = 2;
    struct Row {
        std::uint64_t bytes;
        int slots_of_8, slots_of_16, slots_of_128, slots_of_1000;
    };
    for (const Row row :
         {Row{8, 512, 256, 32, 32}, Row{24, 512, 256, 32, 16}, Row{504, 128, 64, 8, 8},
          Row{8192, 64, 32, 4, 2}, Row{8193, 16, 8, 2, 2}, Row{1 << 24, 16, 8, 2, 2}}) {
        INFO(row.bytes << " bytes");
        const auto slots = [&](int sharers) {
            return design(row.bytes, crowded, {.sharers = sharers}).slots;
        };
        CHECK(slots(1) == row.slots_of_8);
        CHECK(slots(8) == row.slots_of_8);
        CHECK(slots(16) == row.slots_of_16);
        CHECK(slots(128) == row.slots_of_128);
        CHECK(slots(1000) == row.slots_of_1000);
    }
}

TEST_CASE("a queue to each of many processes stays short, and is acknowledged") {
    Costs crowded = costs();
    for (const double ranks_per_core : {1.0, 64.0})
        for (const int sharers : {128, 256, 1000})
            for (std::uint64_t bytes = 0; bytes <= 1 << 20; bytes = 2 * bytes + 1) {
                INFO(bytes << " bytes among " << sharers);
                crowded.ranks_per_core = ranks_per_core;
                const Design made = design(bytes, crowded, {.sharers = sharers});
                CHECK(made.size() <= std::max<std::uint64_t>(4 * made.stride(), 8 << 10) + 64);
                CHECK(made.acknowledge_every > 0);
                CHECK((made.slots & (made.slots - 1)) == 0);
            }
}

TEST_CASE("of what is answered in the same round two have a place, and nobody acknowledges") {
    for (const std::uint64_t bytes : {0, 8, 504, 8192, 32'768}) {
        const Design answered =
            design(static_cast<std::uint64_t>(bytes), costs(), {.is_answered = true});
        CHECK(answered.slots == 2);
        CHECK(answered.acknowledge_every == 0);
        CHECK_FALSE(answered.shares_lines);
    }
    CHECK(design(32'769, costs(), {.is_answered = true}).acknowledge_every == 1);
}

TEST_CASE("staged messages of 1 KiB and more go past the caches where that is faster") {
    CHECK(design(1024, with(&Costs::streamed, 0.9)).streams);
    CHECK(design(1 << 20, with(&Costs::streamed, 0.9)).streams);
    CHECK_FALSE(design(1023, with(&Costs::streamed, 0.9)).streams);
    CHECK_FALSE(design(1 << 20, with(&Costs::streamed, 1.1)).streams);
    Costs late = costs();
    late.streamed = {500, 0.9}; // faster from 5000 bytes on
    CHECK_FALSE(design(4900, late).streams);
    CHECK(design(5100, late).streams);
}

TEST_CASE("memory of the segment is taken in place where that costs less than a copy more") {
    std::byte* const source = shared_memory() + 128;
    const Costs cheap = with(&Costs::mapped, 0.9), dear = with(&Costs::mapped, 1.1);
    const Question of_channel{.source = source, .traits = channel};
    const Design mapped = design(2048, cheap, of_channel);
    CHECK(mapped.protocol == Protocol::mapped);
    CHECK(mapped.bytes == 2048);
    CHECK(design(2047, cheap, of_channel).protocol == Protocol::staged);
    CHECK(design(2048, dear, of_channel).protocol == Protocol::staged);
    for (const progress::Traits& turns : {passes, combines}) {
        CHECK(design(2048, dear, {.source = source, .traits = turns}).protocol == Protocol::mapped);
        CHECK(
            design(2048, with(&Costs::mapped, 2.1), {.source = source, .traits = turns}).protocol ==
            Protocol::staged);
    }
    std::byte other{};
    CHECK(design(2048, cheap, {.source = &other, .traits = channel}).protocol == Protocol::staged);
}

TEST_CASE("what nothing comes back for is staged while the one before is taken") {
    const Question one_way{.source = shared_memory()};
    CHECK(design(4096, with(&Costs::mapped, 0.9), one_way).protocol == Protocol::staged);
    CHECK(design(4096, with(&Costs::mapped, 0.4), one_way).protocol == Protocol::mapped);
    CHECK(design(40'000, with(&Costs::read, 0.9), one_way).protocol == Protocol::staged);
    CHECK(design(40'000, with(&Costs::read, 0.4), one_way).protocol == Protocol::read);
    const Question marks{.source = shared_memory(), .traits = marked};
    CHECK(design(4096, with(&Costs::mapped, 0.9), marks).protocol == Protocol::mapped);
}

TEST_CASE("what a rank has for several is taken from where it stands, by all of them at once") {
    const Costs dear = with(&Costs::mapped, 2.5);
    const auto of_root = [](std::size_t messages, plan::Bytes bytes) {
        return traits(std::vector(messages, Action::send), 1, bytes);
    };
    const progress::Traits five = of_root(5, 4096), six = of_root(6, 4096);
    const auto protocol = [](const Costs& costs, const progress::Traits& traits) {
        return design(4096, costs, {.source = shared_memory(), .traits = traits}).protocol;
    };
    CHECK(protocol(dear, five) == Protocol::staged);
    CHECK(protocol(dear, six) == Protocol::mapped);
    CHECK(protocol(dear, of_root(60, 64)) == Protocol::staged);
    std::vector with_own(5, Action::send);
    with_own.push_back(Action::copy);
    CHECK(protocol(dear, traits(with_own, 1, 4096)) == Protocol::mapped);
    Costs crowded = dear;
    crowded.ranks_per_core = 2;
    CHECK(protocol(crowded, six) == Protocol::staged);
    progress::Traits in_segments = six;
    in_segments.is_pipeline = true;
    CHECK(protocol(dear, in_segments) == Protocol::staged);
}

TEST_CASE("long messages are read by the kernel where it may and that costs less") {
    std::byte source{};
    const Costs cheap = with(&Costs::read, 0.9), dear = with(&Costs::read, 1.1);
    const Design read = design(32'768, cheap, {.source = &source, .traits = channel});
    CHECK(read.protocol == Protocol::read);
    CHECK(read.bytes == 32'768);
    CHECK(design(32'767, cheap, {.source = &source, .traits = channel}).protocol ==
          Protocol::staged);
    CHECK(
        design(32'768, cheap, {.source = &source, .traits = channel, .can_read = false}).protocol ==
        Protocol::staged);
    CHECK(design(32'768, dear, {.source = &source, .traits = channel}).protocol ==
          Protocol::staged);
    CHECK(design(32'768, dear, {.source = &source, .traits = passes}).protocol == Protocol::read);
    // It would be read to a place of its own, and combined from there.
    CHECK(design(32'768, dear, {.source = &source, .traits = combines}).protocol ==
          Protocol::staged);
    CHECK(design(32'768, cheap, {.source = &source, .traits = combines}).protocol ==
          Protocol::read);
    // Where staging past the caches is faster, reading has to be faster than that.
    Costs both = with(&Costs::streamed, 0.5);
    both.read = {0, 0.6};
    CHECK(design(32'768, both, {.source = &source, .traits = channel}).protocol ==
          Protocol::staged);
}

TEST_CASE("long messages of partitions may be left, unless reading them takes far too long") {
    std::byte source{};
    const Costs cheap = with(&Costs::read, 3.9), dear = with(&Costs::read, 4.1);
    const Question question{.source = &source, .traits = marked};
    const Design left = design(65'536, cheap, question);
    CHECK(left.protocol == Protocol::staged);
    CHECK(left.may_leave);
    CHECK(left.acknowledge_every == 1);
    CHECK_FALSE(left.is_one_chunk());
    CHECK_FALSE(design(65'535, cheap, question).may_leave);
    CHECK_FALSE(design(65'536, dear, question).may_leave);
    CHECK_FALSE(design(65'536, cheap, {.source = &source, .traits = sums_marked}).may_leave);
    CHECK_FALSE(
        design(65'536, cheap, {.source = &source, .traits = marked, .can_read = false}).may_leave);
    // What is always read need not be left.
    const Design read = design(65'536, with(&Costs::read, 0.9), question);
    CHECK(read.protocol == Protocol::read);
    CHECK_FALSE(read.may_leave);
}

TEST_CASE("what partitions wait for goes in smaller chunks") {
    struct Row {
        std::uint64_t bytes;
        std::uint32_t chunk;
        int slots;
    };
    for (const Row row :
         {Row{8192, 8192, 4}, Row{8193, 8192, 16}, Row{65'536, 8192, 16}, Row{65'537, 8192, 16},
          Row{80'000, 10'048, 16}, Row{262'144, 32'768, 4}, Row{1 << 24, 32'768, 4}}) {
        INFO(row.bytes << " bytes");
        const Design parts = design(row.bytes, costs(), {.traits = marked});
        CHECK(parts.protocol == Protocol::staged);
        CHECK(parts.chunk == row.chunk);
        CHECK(parts.slots == row.slots);
        CHECK(parts.acknowledge_every == 1);
    }
}

TEST_CASE("a long message that can be read is staged or left, as its sender finds out") {
    const Costs near = with(&Costs::read, 3.5), far = with(&Costs::read, 4.5);
    const Design found = design(32'768, near);
    CHECK(found.protocol == Protocol::staged);
    CHECK(found.prefers);
    CHECK(found.may_leave);
    CHECK(found.acknowledge_every == 1);
    CHECK(design(32'768, near, {.is_answered = true}).acknowledge_every == 1);
    CHECK_FALSE(design(32'767, near).prefers);
    CHECK_FALSE(design(32'768, far).prefers);
    CHECK_FALSE(design(32'768, near, {.can_read = false}).prefers);
    CHECK_FALSE(design(100'000, near, {.traits = marked}).prefers);
}

TEST_CASE("what goes to a rank in several messages is staged") {
    progress::Traits several = sends;
    several.is_pipeline = true;
    CHECK_FALSE(design(32'768, with(&Costs::read, 3.5), {.traits = several}).prefers);
}
