// SPDX-License-Identifier: BSD-3-Clause
//
// What may begin of the steps of small plans, as gates open and parts of other steps are done.
#include "plan/fragments.hpp"
#include "plan/partitioned.hpp"

#include "by_hand.hpp"
#include "catch2.hpp"

#include <map>

using namespace mpix::plan;
using namespace mpix::plan::test;

namespace {

constexpr Place block(Bytes number, Bytes bytes) { return {Buffer::recv_blocks, number, bytes}; }

using Interval = Fragments::Interval;
// Of each step, what may begin.
using Fresh = std::map<StepId, Fragments::Set>;

Fragments::Set bytes(Bytes begin, Bytes end) { return Fragments::Set(Interval(begin, end)); }

Builder joining(Bytes grain = 1) {
    Builder plan(grain, Builder::default_tags);
    plan.join_partitions(true);
    return plan;
}

Fresh take(Fragments& fragments) {
    Fresh found;
    for (StepId id = fragments.next(); id >= 0; id = fragments.next())
        found[id] += fragments.take(id);
    return found;
}

} // namespace

TEST_CASE("half of a message may begin with half of its partitions") {
    Builder parts = joining();
    parts.gate(in(0, 8));
    parts.gate(in(8, 8));
    parts.send(1, in(0, 16));
    Fragments fragments(finish(parts));
    CHECK(fragments.size(0) == 16);
    CHECK(take(fragments).empty());
    fragments.open(2);
    CHECK(take(fragments) == Fresh{{0, bytes(8, 16)}});
    CHECK(take(fragments).empty());
    fragments.open(1);
    CHECK(take(fragments) == Fresh{{0, bytes(0, 8)}});
    fragments.finish(0, {8, 16});
    CHECK_FALSE(fragments.is_finished(0));
    fragments.finish(0, {0, 8});
    CHECK(fragments.is_finished(0));
}

TEST_CASE("a partition that is marked again lets nothing begin again") {
    Builder parts = joining();
    parts.gate(in(0, 8));
    parts.send(1, in(0, 8));
    Fragments fragments(finish(parts));
    fragments.open(1);
    fragments.open(1);
    CHECK(take(fragments) == Fresh{{0, bytes(0, 8)}});
    fragments.open(1);
    fragments.open(0);
    CHECK(take(fragments).empty());
}

TEST_CASE("what is copied may be sent, part after part, from where it stands") {
    Builder chain = joining();
    const Place scratch = chain.scratch(32);
    chain.gate(in(4, 12));
    chain.copy(in(4, 12), scratch.part(16, 12));
    chain.send(1, scratch.part(20, 12));
    Fragments fragments(finish(chain));
    CHECK(take(fragments) == Fresh{{1, bytes(8, 12)}}); // nobody writes that
    fragments.open(1);
    CHECK(take(fragments) == Fresh{{0, bytes(0, 12)}});
    fragments.finish(0, {2, 6});
    CHECK(take(fragments) == Fresh{{1, bytes(0, 2)}});
    fragments.finish(0, {0, 2});
    CHECK(take(fragments).empty());
    fragments.finish(0, {6, 12});
    CHECK(take(fragments) == Fresh{{1, bytes(2, 8)}});
}

TEST_CASE("a byte of a reduction begins when both of its terms are there") {
    Builder sum = joining(8);
    const Place scratch = sum.scratch(32);
    sum.gate(in(0, 32));
    sum.copy(in(0, 32), out(0, 32));
    sum.recv(1, scratch);
    sum.reduce(scratch, out(0, 32));
    Fragments fragments(finish(sum));
    CHECK(take(fragments) == Fresh{{1, bytes(0, 32)}});
    fragments.finish(1, {0, 16});
    CHECK(take(fragments).empty());
    fragments.open(1);
    CHECK(take(fragments) == Fresh{{0, bytes(0, 32)}});
    fragments.finish(0, {8, 32});
    CHECK(take(fragments) == Fresh{{2, bytes(8, 16)}});
    fragments.finish(1, {16, 32});
    CHECK(take(fragments) == Fresh{{2, bytes(16, 32)}});
    fragments.finish(0, {0, 8});
    CHECK(take(fragments) == Fresh{{2, bytes(0, 8)}});
}

TEST_CASE("nothing is written over bytes that are still to be read") {
    Builder plan = joining();
    plan.send(1, out(0, 16));
    plan.recv(1, out(8, 16));
    Fragments fragments(finish(plan));
    CHECK(take(fragments) == Fresh{{0, bytes(0, 16)}, {1, bytes(8, 16)}});
    fragments.finish(0, {0, 12});
    CHECK(take(fragments) == Fresh{{1, bytes(0, 4)}});
    fragments.finish(0, {12, 16});
    CHECK(take(fragments) == Fresh{{1, bytes(4, 8)}});
}

TEST_CASE("a message that is not fragmented begins as a whole, once all of its bytes may") {
    Builder plan = joining();
    plan.join_partitions(false);
    plan.gate(in(0, 8));
    plan.gate(in(8, 8));
    plan.send(1, in(0, 16));
    Fragments fragments(finish(plan));
    fragments.open(1);
    CHECK(take(fragments).empty());
    fragments.open(2);
    CHECK(take(fragments) == Fresh{{0, bytes(0, 16)}});
}

TEST_CASE("a block that is not dense is unpacked when its own bytes have come") {
    Builder plan = joining();
    const Place scratch = plan.scratch(24);
    plan.recv(1, scratch.part(0, 24));
    plan.copy(scratch.part(0, 8), block(0, 8));
    plan.copy(scratch.part(8, 16), block(1, 16));
    plan.arrive(block(0, 8));
    plan.arrive(block(1, 16));
    Fragments fragments(finish(plan));
    CHECK(take(fragments) == Fresh{{0, bytes(0, 24)}});
    fragments.finish(0, {4, 16});
    CHECK(take(fragments).empty());
    fragments.finish(0, {0, 4});
    CHECK(take(fragments) == Fresh{{1, bytes(0, 8)}});
    fragments.finish(1, {0, 8});
    CHECK(take(fragments) == Fresh{{3, bytes(0, 8)}});
    fragments.finish(0, {16, 24});
    CHECK(take(fragments) == Fresh{{2, bytes(0, 16)}});
    fragments.finish(2);
    CHECK(take(fragments) == Fresh{{4, bytes(0, 16)}});
}

TEST_CASE("a block that is still to be read is not written, whatever else has come") {
    Builder plan = joining();
    const Place scratch = plan.scratch(8);
    plan.copy(block(0, 8), scratch);
    plan.copy(scratch, block(0, 8));
    Fragments fragments(finish(plan));
    CHECK(take(fragments) == Fresh{{0, bytes(0, 8)}});
    fragments.finish(0, {0, 4});
    CHECK(take(fragments).empty());
    fragments.finish(0, {4, 8});
    CHECK(take(fragments) == Fresh{{1, bytes(0, 8)}});
}

TEST_CASE("a step without bytes begins when all that is before it is done") {
    Builder plan = joining();
    const Place nothing = plan.nothing(2);
    plan.gate(nothing.part(0, 1));
    plan.gate(nothing.part(1, 1));
    plan.send(1, nothing);
    plan.recv(1, out(0, 8));
    plan.fence();
    plan.signal(2);
    Fragments fragments(finish(plan));
    CHECK(take(fragments) == Fresh{{1, bytes(0, 8)}});
    fragments.open(1);
    CHECK(take(fragments).empty());
    fragments.open(2);
    CHECK(take(fragments) == Fresh{{0, bytes(0, 1)}});
    fragments.finish(0);
    CHECK(fragments.is_finished(0));
    fragments.finish(1, {0, 4});
    CHECK(take(fragments).empty());
    fragments.finish(1, {4, 8});
    CHECK(take(fragments) == Fresh{{2, bytes(0, 1)}});
}

TEST_CASE("of messages with one tag the next begins when all of the one before is done") {
    Builder plan(1, 1);
    plan.join_partitions(true);
    plan.recv(1, out(0, 8));
    plan.recv(1, out(4, 8));
    Fragments fragments(finish(plan));
    CHECK(take(fragments) == Fresh{{0, bytes(0, 8)}});
    fragments.finish(0, {4, 8});
    CHECK(take(fragments).empty());
    fragments.finish(0, {0, 4});
    CHECK(take(fragments) == Fresh{{1, bytes(0, 8)}});
}

// The sender has less than the receiver has room for.
TEST_CASE("a partition that comes in part arrives when that part has come") {
    for (const Buffer buffer : {Buffer::recv, Buffer::recv_blocks}) {
        Partitioned problem;
        problem.whole.shape = {.kind = Kind::neighbor, .ranks = 2};
        Segment& segment = problem.recv.emplace_back();
        segment.peers = {1};
        const bool is_dense = buffer == Buffer::recv;
        segment.partitions = {{buffer, 0, 8}, {buffer, is_dense ? 8 : 1, 8}};
        segment.message_bytes = 12;
        segment.cuts = {0};
        segment.is_joined = true;
        const Plan plan = build(problem, Model{});
        Fragments fragments(plan);
        int arrived = 0;
        for (Bytes come = 0;;) {
            const Fresh fresh = take(fragments);
            if (fresh.empty() && come == 12) break;
            for (const auto& [id, parts] : fresh) {
                const Step& step = plan.steps[static_cast<std::size_t>(id)];
                if (step.action == Action::recv) continue; // it may begin, and has to come
                for (const Interval& part : parts) fragments.finish(id, part);
                arrived += step.action == Action::arrive && fragments.is_finished(id);
            }
            if (!fresh.empty()) continue;
            for (std::size_t i = 0; i < plan.steps.size(); ++i)
                if (plan.steps[i].action == Action::recv)
                    fragments.finish(static_cast<StepId>(i), {come, come + 4});
            come += 4;
        }
        for (std::size_t i = 0; i < plan.steps.size(); ++i)
            CHECK(fragments.is_finished(static_cast<StepId>(i)));
        CHECK(arrived > 0);
    }
}
