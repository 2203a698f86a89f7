// SPDX-License-Identifier: BSD-3-Clause
//
// Of each round of a channel it is told once that it is done, in the order of rounds, in whatever
// order the steps are.
#include "progress/slot_ring.hpp"

#include "catch2.hpp"

using namespace mpix;

namespace {

// Of so many slots, with a message each.
progress::SlotRing ring(int slots) {
    plan::Plan plan;
    plan.slots = slots;
    for (int slot = 0; slot < slots; ++slot)
        plan.steps.push_back({.action = plan::Action::recv, .peer = 1});
    return progress::SlotRing(plan);
}

int told(progress::SlotRing& ring) {
    int times = 0;
    while (ring.tell_next()) ++times;
    return times;
}

} // namespace

TEST_CASE("a round that is done before an older one is told after it, and once") {
    progress::SlotRing slots = ring(3);
    for (int lap = 0; lap < 4; ++lap) {
        plan::StepId begun[3] = {};
        for (plan::StepId& id : begun) id = static_cast<plan::StepId>(slots.begin());
        CHECK(told(slots) == 0);
        slots.done(begun[1]);
        CHECK(told(slots) == 0);
        slots.done(begun[0]);
        CHECK(told(slots) == 2);
        CHECK(told(slots) == 0);
        slots.end();
        slots.done(begun[2]);
        CHECK(told(slots) == 1);
        slots.end();
        slots.end();
        CHECK(slots.is_idle());
        CHECK(told(slots) == 0);
        slots.begin(); // the next lap begins in another slot
        slots.done(static_cast<plan::StepId>(slots.oldest()));
        CHECK(told(slots) == 1);
        slots.end();
    }
}

TEST_CASE("what was told when it began is not told again") {
    progress::SlotRing slots = ring(3);
    for (int lap = 0; lap < 4; ++lap) {
        slots.tell_when_begun();
        slots.pass();
        const auto behind = static_cast<plan::StepId>(slots.begin());
        CHECK(told(slots) == 0);
        slots.done(behind);
        CHECK(told(slots) == 1);
        slots.end();
        slots.end();
    }
}

TEST_CASE("a round that has ended without being told is not told") {
    progress::SlotRing slots = ring(2);
    for (int lap = 0; lap < 3; ++lap) {
        slots.pass();
        slots.end();
        CHECK(told(slots) == 0);
        slots.done(static_cast<plan::StepId>(slots.begin()));
        CHECK(told(slots) == 1);
        slots.end();
    }
}
