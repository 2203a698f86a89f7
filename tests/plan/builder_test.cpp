// SPDX-License-Identifier: BSD-3-Clause
//
// The order that the builder reads out of a program of steps: what data, tags and fences demand,
// and nothing else.
#include "plan/builder.hpp"

#include "by_hand.hpp"
#include "catch2.hpp"

#include <algorithm>

using namespace mpix::plan;
using namespace mpix::plan::test;

namespace {

Problem problem(Bytes grain = 1) {
    Problem it;
    it.shape.ranks = 4;
    it.shape.grain = grain;
    return it;
}

// The steps that must be done before this one.
std::vector<StepId> before(const Plan& plan, StepId id) {
    std::vector<StepId> found;
    for (std::size_t i = 0; i < plan.steps.size(); ++i) {
        const auto after = plan.after(plan.steps[i]);
        if (std::find(after.begin(), after.end(), id) != after.end())
            found.push_back(static_cast<StepId>(i));
    }
    return found;
}

std::vector<StepId> first_steps(const Plan& plan) {
    const auto after = plan.after(plan.gates[0]);
    return {after.begin(), after.end()};
}

using Ids = std::vector<StepId>;

} // namespace

TEST_CASE("a read waits for the write before it") {
    Builder builder(problem());
    builder.recv(1, out(0, 8));
    builder.send(2, out(0, 8));
    const Plan plan = finish(builder);
    CHECK(before(plan, 1) == Ids{0});
    CHECK(first_steps(plan) == Ids{0});
}

TEST_CASE("a write waits for the reads before it") {
    Builder builder(problem());
    builder.send(1, out(0, 8));
    builder.send(2, out(0, 8));
    builder.recv(3, out(0, 8));
    const Plan plan = finish(builder);
    CHECK(before(plan, 2) == Ids{0, 1});
    CHECK(plan.steps[2].needs == 2);
}

TEST_CASE("a write waits for the write before it") {
    Builder builder(problem());
    builder.recv(1, out(0, 8));
    builder.recv(2, out(0, 8));
    CHECK(before(finish(builder), 1) == Ids{0});
}

TEST_CASE("a write hides what it replaced") {
    Builder builder(problem());
    builder.recv(1, out(0, 8));
    builder.recv(2, out(0, 8));
    builder.send(3, out(0, 8));
    CHECK(before(finish(builder), 2) == Ids{1});
}

TEST_CASE("reads do not wait for each other") {
    Builder builder(problem());
    builder.send(1, in(0, 8));
    builder.send(2, in(0, 8));
    builder.copy(in(0, 8), out(0, 8));
    const Plan plan = finish(builder);
    CHECK(first_steps(plan) == Ids{0, 1, 2});
    for (StepId id = 0; id < 3; ++id) CHECK(before(plan, id).empty());
}

TEST_CASE("places that only touch do not overlap") {
    Builder builder(problem());
    builder.recv(1, out(0, 8));
    builder.recv(1, out(8, 8));
    builder.recv(1, out(16, 8));
    builder.send(2, out(8, 8));
    CHECK(before(finish(builder), 3) == Ids{1});
}

TEST_CASE("the same offset in another room is another place") {
    Builder builder(problem());
    builder.recv(1, out(0, 8));
    builder.send(2, in(0, 8));
    CHECK(before(finish(builder), 1).empty());
}

TEST_CASE("a partial overlap orders the steps") {
    Builder builder(problem());
    builder.recv(1, out(0, 8));
    builder.recv(2, out(8, 8));
    builder.send(3, out(4, 8));  // half of each
    builder.recv(1, out(6, 1));  // inside what is being sent
    builder.send(2, out(0, 16)); // all three writes
    const Plan plan = finish(builder);
    CHECK(before(plan, 2) == Ids{0, 1});
    CHECK(before(plan, 3) == Ids{0, 2});
    CHECK(before(plan, 4) == Ids{0, 1, 3});
}

TEST_CASE("reduces into one place happen in their order") {
    Builder builder(problem());
    builder.reduce(in(0, 8), out(0, 8));
    builder.reduce(in(8, 8), out(0, 8));
    const Plan plan = finish(builder);
    CHECK(before(plan, 1) == Ids{0});
    CHECK(first_steps(plan) == Ids{0});
}

TEST_CASE("a step that reads and writes one place does not wait for itself") {
    Builder builder(problem());
    builder.copy(out(0, 8), out(4, 8));
    const Plan plan = finish(builder);
    CHECK(plan.steps[0].needs == 1);
    CHECK(first_steps(plan) == Ids{0});
}

TEST_CASE("blocks that are not dense are told apart by number, whatever their size") {
    Builder builder(problem());
    builder.copy({Buffer::send_blocks, 0, 100}, out(0, 100));
    builder.copy(out(100, 100), {Buffer::recv_blocks, 0, 100});
    builder.copy(out(200, 100), {Buffer::recv_blocks, 1, 100});
    builder.copy(out(300, 100), {Buffer::recv_blocks, 0, 100});
    const Plan plan = finish(builder);
    CHECK(first_steps(plan) == Ids{0, 1, 2});
    CHECK(before(plan, 3) == Ids{1});
}

TEST_CASE("places of nothing order steps that move no bytes") {
    Builder builder(problem());
    const Place marked = builder.nothing(2), told = builder.nothing(3);
    builder.gate(marked.part(0, 1));
    builder.gate(marked.part(1, 1));
    builder.send(1, marked);
    builder.recv(2, told);
    for (Bytes p = 0; p < 3; ++p) builder.arrive(told.part(p, 1));
    const Plan plan = finish(builder);
    REQUIRE(plan.steps.size() == 3); // the arrivals are one
    CHECK(plan.steps[0].needs == 2);
    CHECK(plan.steps[2].arrivals == 3);
    CHECK(before(plan, 2) == Ids{1});
    for (const Step& step : plan.steps) CHECK(step.bytes == 0);
}

TEST_CASE("without memory a reduction is messages alone") {
    Builder builder(problem());
    const Builder::Weightless weightless(builder);
    const Place sum = builder.nothing(1);
    builder.combine(1, sum, sum, builder.scratch(1));
    builder.reduce(builder.scratch(1), sum);
    builder.send(2, sum);
    const Plan plan = finish(builder);
    CHECK(plan.scratch == 0);
    CHECK(plan.steps[0].action == Action::recv);
    CHECK(plan.steps[1].action == Action::copy);
    CHECK(before(plan, 1) == Ids{0});
    CHECK(before(plan, 2) == Ids{1});
}

TEST_CASE("short copies that may wait for each other are one step for each two buffers") {
    Builder builder(problem());
    const Place whole = builder.scratch(64);
    const auto copy_from_the_messages = [&] {
        builder.recv(1, whole.part(0, 8));
        builder.recv(2, whole.part(8, 8));
        builder.copy(std::vector<Move>{{whole.part(0, 8), out(40, 8)},
                                       {whole.part(8, 8), out(0, 8)},
                                       {in(0, 8), out(24, 8)},
                                       {whole.part(16, 8), out(56, 8)}});
        builder.send(3, out(0, 8));
        builder.send(3, out(24, 8));
    };
    SECTION("if that is wanted") {
        builder.list_copies();
        copy_from_the_messages();
        const Plan plan = finish(builder);
        REQUIRE(plan.steps.size() == 6);
        CHECK(plan.copies_of(plan.steps[2]).empty()); // one is not a list
        CHECK(before(plan, 2).empty());
        CHECK(before(plan, 3) == Ids{0, 1});
        CHECK(plan.steps[3].bytes == 24);
        CHECK(plan.steps[3].to.offset == 0);
        const auto copies = plan.copies_of(plan.steps[3]);
        REQUIRE(copies.size() == 3);
        CHECK(copies[0].from == 0);
        CHECK(copies[0].to == 40);
        CHECK(copies[1].from == 8);
        CHECK(copies[1].to == 0);
        CHECK(before(plan, 4) == Ids{3});
        CHECK(before(plan, 5) == Ids{2});
    }
    SECTION("and not otherwise") {
        copy_from_the_messages();
        const Plan plan = finish(builder);
        REQUIRE(plan.steps.size() == 8);
        CHECK(before(plan, 2) == Ids{0});
        CHECK(before(plan, 6) == Ids{3});
    }
}

TEST_CASE("copies that are equally far apart are one step, which waits for what is between") {
    Problem problem;
    Builder builder(problem);
    builder.list_copies();
    const Place from = builder.scratch(64), to = builder.scratch(64);
    builder.recv(1, from.part(8, 8));
    builder.copy({from.part(0, 8), to.part(0, 8)}, 4, 16, 8);
    builder.send(1, to.part(24, 8));
    const Plan plan = std::move(builder).finish("by hand", 0);
    REQUIRE(plan.steps.size() == 3);
    CHECK(plan.steps[1].bytes == 32);
    CHECK(plan.after(plan.steps[0]).size() == 1);
    CHECK(plan.after(plan.steps[1]).size() == 1);
    std::vector<Bytes> places;
    each_copy(plan.steps[1], plan.copies_of(plan.steps[1]), [&](const Copy& copy) {
        places.push_back(copy.from);
        places.push_back(copy.to);
    });
    CHECK(places == std::vector<Bytes>{0, 0, 16, 8, 32, 16, 48, 24});
}

TEST_CASE("long copies stay steps of their own, and steps of many do not grow long") {
    Builder builder(problem());
    builder.list_copies();
    std::vector<Move> moves{{in(0, 4096), out(0, 4096)}};
    for (Bytes i = 0; i < 32; ++i)
        moves.push_back({in(4096 + 600 * i, 512), out(4096 + 512 * i, 512)});
    builder.copy(moves);
    const Plan plan = finish(builder);
    REQUIRE(plan.steps.size() == 3);
    CHECK(plan.steps[0].copies == 0);
    CHECK(plan.steps[1].copies == 16);
    CHECK(plan.steps[2].copies == 16);
}

TEST_CASE("what follows a fence waits for everything before it") {
    Builder builder(problem());
    builder.signal(1);
    builder.await(2);
    builder.fence();
    builder.signal(3);
    builder.fence();
    builder.signal(2);
    const Plan plan = finish(builder);
    CHECK(before(plan, 2) == Ids{0, 1});
    CHECK(before(plan, 3) == Ids{2});
}

TEST_CASE("short messages are received phase by phase, and long ones when there is room") {
    Builder builder(problem());
    {
        Builder::Phases phases(builder);
        for (int phase = 0; phase < 3; ++phase) {
            builder.send(1, in(phase, 8));
            builder.recv(2, out(8 * phase, 8));
            builder.next_phase();
        }
        builder.next_phase();
        builder.recv(3, out(100, 2048));
        builder.recv(3, out(5000, 5000));
        builder.next_phase();
        builder.recv(3, out(32, 8));
    }
    builder.recv(1, out(24, 8));
    const Plan plan = finish(builder);
    for (const StepId send : {0, 2, 4}) CHECK(before(plan, send).empty());
    CHECK(before(plan, 1).empty());
    CHECK(before(plan, 3) == Ids{1});
    CHECK(before(plan, 5) == Ids{3});
    CHECK(before(plan, 6) == Ids{5});
    CHECK(before(plan, 7).empty());
    CHECK(before(plan, 8) == Ids{6, 7});
    CHECK(before(plan, 9).empty());
}

TEST_CASE("phases within a phase are their own") {
    Builder builder(problem());
    Builder::Phases outer(builder);
    builder.recv(1, out(0, 8));
    builder.next_phase();
    {
        Builder::Phases inner(builder);
        builder.recv(2, out(8, 8));
        builder.next_phase();
        builder.recv(3, out(16, 8));
    }
    builder.recv(2, out(24, 8));
    const Plan plan = finish(builder);
    CHECK(before(plan, 1).empty());
    CHECK(before(plan, 2) == Ids{1});
    CHECK(before(plan, 3) == Ids{0});
}

TEST_CASE("a partition waits for no other's phase") {
    Builder builder(problem());
    builder.gate(in(0, 8));
    Builder::Phases phases(builder);
    builder.recv(1, out(0, 8));
    builder.next_phase();
    builder.recv(2, out(8, 8));
    CHECK(before(finish(builder), 1).empty());
}

TEST_CASE("a fence with nothing before it leaves the last one in force") {
    Builder builder(problem());
    builder.signal(1);
    builder.fence();
    builder.recv(2, out(0, 0));
    builder.fence();
    builder.signal(3);
    CHECK(before(finish(builder), 1) == Ids{0});
}

TEST_CASE("message 17 to a rank waits for the first, with the same tag") {
    Builder builder(problem());
    for (Bytes i = 0; i < Builder::default_tags + 2; ++i) builder.send(1, in(i, 1));
    const Plan plan = finish(builder);
    for (StepId id = 0; id < Builder::default_tags; ++id) {
        CHECK(plan.steps[static_cast<std::size_t>(id)].tag_offset == id);
        CHECK(before(plan, id).empty());
    }
    CHECK(plan.steps[16].tag_offset == 0);
    CHECK(before(plan, 16) == Ids{0});
    CHECK(before(plan, 17) == Ids{1});
}

TEST_CASE("tags are counted apart for each rank and each direction") {
    Builder builder(problem());
    builder.send(1, in(0, 1));
    builder.send(2, in(0, 1));
    builder.recv(1, out(0, 1));
    builder.send(1, in(0, 1));
    const Plan plan = finish(builder);
    CHECK(plan.steps[0].tag_offset == 0);
    CHECK(plan.steps[1].tag_offset == 0);
    CHECK(plan.steps[2].tag_offset == 0);
    CHECK(plan.steps[3].tag_offset == 1);
}

TEST_CASE("empty places, and copies to where they are, leave no step") {
    Builder builder(problem());
    builder.send(1, in(0, 0));
    builder.recv(1, out(0, 0));
    builder.copy(in(0, 0), out(0, 0));
    builder.reduce(in(0, 0), out(0, 0));
    builder.copy(out(8, 8), out(8, 8));
    builder.send(1, in(0, 1));
    const Plan plan = finish(builder);
    REQUIRE(plan.steps.size() == 1);
    CHECK(plan.steps[0].tag_offset == 0);
}

TEST_CASE("scratch places are apart, on element boundaries, and all counted") {
    Builder builder(problem(24));
    const Place first = builder.scratch(24);
    const Place second = builder.scratch(48);
    CHECK(first.offset % 24 == 0);
    CHECK(second.offset % 24 == 0);
    CHECK(second.offset >= first.offset + 64);
    CHECK(finish(builder).scratch >= second.offset + 48);
}
