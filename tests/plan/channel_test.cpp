// SPDX-License-Identifier: BSD-3-Clause
//
// The plan of a channel's end: a chain of steps for each transfer that may be under way, behind a
// gate of its own, and nothing that waits for another chain.
#include "catch2.hpp"
#include "plan/channel.hpp"

#include <vector>

using namespace mpix::plan;

namespace {

using Ids = std::vector<StepId>;

Channel channel(bool sends, std::size_t slots, Buffer buffer, Bytes bytes, Bytes message) {
    Channel made{.sends = sends, .peer = 3, .slots = {}, .message = message};
    for (std::size_t i = 0; i < slots; ++i)
        made.slots.push_back({buffer, static_cast<Bytes>(i) * 100, bytes});
    return made;
}

// What is done when the gate opens, in order; each step once what it needs is done.
Ids run(const Plan& plan, std::size_t gate, std::vector<std::int32_t>& needs) {
    Ids ready;
    const auto release = [&](std::span<const StepId> steps) {
        for (const StepId id : steps)
            if (--needs[static_cast<std::size_t>(id)] == 0) ready.push_back(id);
    };
    release(plan.after(plan.gates[gate]));
    for (std::size_t i = 0; i < ready.size(); ++i)
        release(plan.after(plan.steps[static_cast<std::size_t>(ready[i])]));
    return ready;
}

std::vector<std::int32_t> needs_of(const Plan& plan) {
    std::vector<std::int32_t> needs;
    for (const Step& step : plan.steps) needs.push_back(step.needs);
    return needs;
}

// Each gate does the steps of its own chain, in their order, and all of them.
void check_chains(const Plan& plan, std::size_t slots) {
    REQUIRE(plan.slots == static_cast<std::int32_t>(slots));
    REQUIRE(plan.gates.size() == slots + 1);
    REQUIRE(plan.steps.size() % slots == 0);
    CHECK(plan.after(plan.gates[0]).empty());
    std::vector<std::int32_t> needs = needs_of(plan);
    StepId next = 0;
    for (std::size_t slot = 0; slot < slots; ++slot) {
        Ids chain;
        for (std::size_t i = 0; i < plan.steps.size() / slots; ++i) chain.push_back(next++);
        CHECK(run(plan, 1 + slot, needs) == chain);
    }
    for (const std::int32_t missing : needs) CHECK(missing == 0);
}

} // namespace

TEST_CASE("a channel of dense data has one message for each transfer") {
    for (const bool sends : {true, false}) {
        const Plan plan = build(channel(sends, 3, Buffer::send, 40, 40));
        check_chains(plan, 3);
        REQUIRE(plan.steps.size() == 3);
        CHECK(plan.scratch == 0);
        for (std::size_t i = 0; i < 3; ++i) {
            const Step& step = plan.steps[i];
            CHECK(step.action == (sends ? Action::send : Action::recv));
            CHECK(step.peer == 3);
            CHECK(step.tag_offset == 0);
            CHECK(step.bytes == 40);
            CHECK((sends ? step.from : step.to).offset == static_cast<Bytes>(i) * 100);
        }
    }
}

TEST_CASE("what is not dense is packed before the message, and unpacked after it") {
    const Plan sender = build(channel(true, 2, Buffer::send_blocks, 40, 40));
    check_chains(sender, 2);
    REQUIRE(sender.steps.size() == 4);
    CHECK(sender.steps[0].action == Action::copy);
    CHECK(sender.steps[1].action == Action::send);
    CHECK(sender.steps[1].from.buffer == Buffer::scratch);
    CHECK(sender.steps[0].to.offset == sender.steps[1].from.offset);

    const Plan receiver = build(channel(false, 2, Buffer::recv_blocks, 40, 40));
    check_chains(receiver, 2);
    CHECK(receiver.steps[0].action == Action::recv);
    CHECK(receiver.steps[1].action == Action::copy);
    CHECK(receiver.steps[1].to.buffer == Buffer::recv_blocks);
}

TEST_CASE("the scratch of transfers under way at once is not shared") {
    const Plan plan = build(channel(true, 3, Buffer::send_blocks, 100, 100));
    for (std::size_t slot = 0; slot + 1 < 3; ++slot)
        CHECK(plan.steps[2 * slot + 1].from.offset + 100 <= plan.steps[2 * slot + 3].from.offset);
    CHECK(plan.steps[5].from.offset + 100 <= plan.scratch);
}

TEST_CASE("a block that is split is sent in messages that follow each other") {
    const Plan plan = build(channel(true, 2, Buffer::send, 48, 16));
    check_chains(plan, 2);
    REQUIRE(plan.steps.size() == 6);
    for (std::size_t i = 0; i < 6; ++i) {
        CHECK(plan.steps[i].bytes == 16);
        CHECK(plan.steps[i].tag_offset == 0);
        CHECK(plan.steps[i].from.offset == static_cast<Bytes>(100 * (i / 3) + 16 * (i % 3)));
    }
    check_chains(build(channel(false, 2, Buffer::recv_blocks, 48, 16)), 2);
    check_chains(build(channel(true, 2, Buffer::send_blocks, 48, 16)), 2);
}

TEST_CASE("a transfer of nothing is a message too") {
    const Plan plan = build(channel(true, 2, Buffer::send, 0, 0));
    check_chains(plan, 2);
    REQUIRE(plan.steps.size() == 2);
    CHECK(plan.steps[0].action == Action::send);
    CHECK(plan.steps[0].bytes == 0);
}

TEST_CASE("only the messages of a synchronous sender wait to be taken") {
    Channel synchronous = channel(true, 2, Buffer::send_blocks, 40, 40);
    synchronous.is_synchronous = true;
    const Plan plan = build(synchronous);
    CHECK_FALSE(plan.steps[0].is_synchronous);
    CHECK(plan.steps[1].is_synchronous);
    CHECK_FALSE(build(channel(true, 1, Buffer::send, 40, 40)).steps[0].is_synchronous);
}

TEST_CASE("a channel with nobody has rounds without messages") {
    Channel alone = channel(true, 3, Buffer::send, 40, 40);
    alone.peer = -1;
    const Plan plan = build(alone);
    check_chains(plan, 3);
    for (const Step& step : plan.steps) {
        CHECK(step.peer < 0);
        CHECK(step.bytes == 0);
    }
}
