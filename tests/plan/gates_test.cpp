// SPDX-License-Identifier: BSD-3-Clause
//
// Gates and arrivals in the graph: a step waits for the partitions of its bytes, an arrival for
// what writes it, and neither for anything else. And where messages are cut.
#include "plan/partitioned.hpp"

#include "by_hand.hpp"
#include "catch2.hpp"

#include <algorithm>

using namespace mpix::plan;
using namespace mpix::plan::test;

namespace {

using Ids = std::vector<StepId>;

Builder builder(std::int32_t tags = Builder::default_tags) { return Builder(1, tags); }

Ids opened_by(const Plan& plan, std::size_t gate) {
    const auto after = plan.after(plan.gates[gate]);
    return {after.begin(), after.end()};
}

Ids after(const Plan& plan, std::size_t step) {
    const auto after = plan.after(plan.steps[step]);
    return {after.begin(), after.end()};
}

} // namespace

TEST_CASE("a plan without partitions has the gate that opens at Start") {
    Builder plain = builder();
    plain.send(1, in(0, 8));
    const Plan plan = finish(plain);
    CHECK(plan.gates.size() == 1);
    CHECK(plan.partitions() == 0);
    CHECK(plan.arrivals == 0);
    CHECK(opened_by(plan, 0) == Ids{0});
}

TEST_CASE("a step waits for the partitions of its bytes, and not for Start") {
    Builder parts = builder();
    for (Bytes p = 0; p < 3; ++p) parts.gate(in(8 * p, 8));
    parts.send(1, in(0, 8));
    parts.send(1, in(8, 16));
    parts.send(1, in(4, 8));
    parts.send(1, in(24, 8));
    const Plan plan = finish(parts);
    CHECK(plan.partitions() == 3);
    CHECK(opened_by(plan, 1) == Ids{0, 2});
    CHECK(opened_by(plan, 2) == Ids{1, 2});
    CHECK(opened_by(plan, 3) == Ids{1});
    CHECK(opened_by(plan, 0) == Ids{3});
    CHECK(plan.steps[0].needs == 1);
    CHECK(plan.steps[1].needs == 2);
    CHECK(plan.steps[2].needs == 2);
    CHECK(plan.steps[3].needs == 1);
}

TEST_CASE("a step waits once for a partition, however many of its places are in it") {
    Builder parts = builder();
    parts.gate(out(0, 16));
    parts.copy(out(0, 8), out(8, 8));
    const Plan plan = finish(parts);
    CHECK(plan.steps[0].needs == 1);
    CHECK(opened_by(plan, 1) == Ids{0});
}

TEST_CASE("a write waits for the partition that stands there, or for who reads it") {
    Builder parts = builder();
    parts.gate(out(0, 8));
    parts.gate(out(8, 8));
    parts.send(1, out(0, 8));
    parts.recv(1, out(0, 16));
    const Plan plan = finish(parts);
    CHECK(after(plan, 0) == Ids{1});
    CHECK(opened_by(plan, 2) == Ids{1});
}

TEST_CASE("what a step wrote over a partition hides it") {
    Builder parts = builder();
    parts.gate(out(0, 8));
    parts.recv(1, out(0, 8));
    parts.send(2, out(0, 8));
    const Plan plan = finish(parts);
    CHECK(opened_by(plan, 1) == Ids{0});
    CHECK(after(plan, 0) == Ids{1});
    CHECK(plan.steps[1].needs == 1);
}

TEST_CASE("of two partitions over the same bytes a step waits for the one given last before it") {
    Builder parts = builder();
    parts.gate(in(0, 8));
    parts.send(1, in(0, 8));
    parts.gate(in(4, 8));
    parts.send(2, in(4, 8));
    parts.send(3, in(0, 4));
    const Plan plan = finish(parts);
    CHECK(opened_by(plan, 1) == Ids{0, 2});
    CHECK(opened_by(plan, 2) == Ids{1});
    CHECK(after(plan, 0).empty());
    CHECK(plan.steps[1].needs == 1);
}

TEST_CASE("partitions of no bytes let nothing begin") {
    Builder parts = builder();
    parts.gate(in(8, 0));
    parts.gate({Buffer::send_blocks, 0, 0});
    parts.send(1, in(0, 16));
    parts.copy({Buffer::send_blocks, 0, 0}, out(0, 0));
    const Plan plan = finish(parts);
    CHECK(plan.partitions() == 2);
    CHECK(opened_by(plan, 0) == Ids{0});
    CHECK(opened_by(plan, 1).empty());
    CHECK(opened_by(plan, 2).empty());
}

TEST_CASE("blocks that are not dense are partitions by number") {
    Builder parts = builder();
    parts.gate({Buffer::send_blocks, 0, 100});
    parts.gate({Buffer::send_blocks, 1, 100});
    parts.copy({Buffer::send_blocks, 1, 100}, {Buffer::scratch, 0, 100});
    const Plan plan = finish(parts);
    CHECK(opened_by(plan, 1).empty());
    CHECK(opened_by(plan, 2) == Ids{0});
}

TEST_CASE("an arrival waits for all that write its bytes") {
    Builder parts = builder();
    parts.recv(1, out(0, 8));
    parts.recv(1, out(8, 8));
    parts.arrive(out(0, 4));
    parts.arrive(out(4, 8));
    parts.arrive(out(12, 4));
    const Plan plan = finish(parts);
    CHECK(plan.arrivals == 3);
    CHECK(after(plan, 0) == Ids{2, 3});
    CHECK(after(plan, 1) == Ids{3, 4});
    for (std::int32_t p = 0; p < 3; ++p) {
        const Step& step = plan.steps[static_cast<std::size_t>(2 + p)];
        CHECK(step.action == Action::arrive);
        CHECK(step.number == p);
    }
}

TEST_CASE("an arrival that nobody writes, or of no bytes, follows Start") {
    Builder parts = builder();
    parts.recv(1, out(0, 8));
    parts.arrive(out(8, 8));
    parts.arrive(out(4, 0));
    parts.arrive({Buffer::recv_blocks, 0, 0});
    const Plan plan = finish(parts);
    CHECK(opened_by(plan, 0) == Ids{0, 1, 2, 3});
    CHECK(after(plan, 0).empty());
}

TEST_CASE("an arrival in place waits for the partition that is there already") {
    Builder parts = builder();
    parts.gate(out(0, 8));
    parts.arrive(out(0, 8));
    const Plan plan = finish(parts);
    CHECK(opened_by(plan, 1) == Ids{0});
    CHECK(plan.steps[0].needs == 1);
}

TEST_CASE("with tags of its own number a plan's messages do not wait for each other") {
    Builder many = builder(40);
    for (Bytes i = 0; i < 41; ++i) many.send(1, in(i, 1));
    const Plan plan = finish(many);
    for (std::size_t i = 0; i < 40; ++i) {
        CHECK(plan.steps[i].tag_offset == static_cast<std::int32_t>(i));
        CHECK(after(plan, i) == (i == 0 ? Ids{40} : Ids{}));
    }
    CHECK(plan.steps[40].tag_offset == 0);
    Builder one = builder(1);
    for (Bytes i = 0; i < 3; ++i) one.recv(1, out(i, 1));
    const Plan chain = finish(one);
    CHECK(after(chain, 0) == Ids{1});
    CHECK(after(chain, 1) == Ids{2});
}

TEST_CASE("messages end where partitions end") {
    const std::vector<Bytes> bounds{10, 20, 30, 40, 50};
    CHECK(cuts(bounds, 1, 100) == std::vector<Bytes>{0, 10, 20, 30, 40});
    CHECK(cuts(bounds, 10, 5) == std::vector<Bytes>{0, 10, 20, 30, 40});
}

TEST_CASE("partitions of too few bytes travel together, and the last alone if they do not add up") {
    const std::vector<Bytes> bounds{10, 20, 30, 40, 50};
    CHECK(cuts(bounds, 11, 100) == std::vector<Bytes>{0, 20, 40});
    CHECK(cuts(bounds, 25, 100) == std::vector<Bytes>{0, 30});
    CHECK(cuts(bounds, 50, 100) == std::vector<Bytes>{0});
    CHECK(cuts(bounds, 1000, 100) == std::vector<Bytes>{0});
}

TEST_CASE("there are no more messages than wanted, whatever the sizes of partitions") {
    CHECK(cuts({10, 20, 30, 40, 50}, 1, 1) == std::vector<Bytes>{0});
    CHECK(cuts({10, 20, 30, 40, 50}, 1, 2) == std::vector<Bytes>{0, 30});
    CHECK(cuts({10, 20, 30, 40, 50}, 1, 3) == std::vector<Bytes>{0, 20, 40});
    CHECK(cuts({1, 99, 100}, 1, 2) == std::vector<Bytes>{0, 99});
    for (std::int64_t most = 1; most < 40; ++most)
        for (Bytes step = 1; step < 9; ++step) {
            std::vector<Bytes> bounds;
            for (Bytes p = 1; p <= 30; ++p) bounds.push_back(p * step + p * p % 7);
            std::ranges::sort(bounds);
            const std::vector<Bytes> begins = cuts(bounds, 1, most);
            CHECK(static_cast<std::int64_t>(begins.size()) <= most);
            CHECK(begins.front() == 0);
            for (std::size_t i = 1; i < begins.size(); ++i) {
                CHECK(begins[i] > begins[i - 1]);
                CHECK(std::ranges::find(bounds, begins[i]) != bounds.end());
            }
            CHECK(begins.back() < bounds.back());
        }
}

TEST_CASE("what has no bytes is one message, and empty partitions have no bounds of their own") {
    CHECK(cuts({}, 1, 10) == std::vector<Bytes>{0});
    CHECK(cuts({0}, 1, 10) == std::vector<Bytes>{0});
    CHECK(cuts({0, 10, 10, 20, 20}, 1, 10) == std::vector<Bytes>{0, 10});
}
