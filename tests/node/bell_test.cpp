// SPDX-License-Identifier: BSD-3-Clause
//
// The bell: who rings takes the trouble only where someone has announced that he sleeps.
#include "node/bell.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <chrono>
#include <vector>

using namespace mpix::node;

namespace {

// Seconds that each of some sleeps takes, the shortest first.
std::vector<double> sleep_at(Bell& bell, std::uint32_t number) {
    std::vector<double> times(21);
    for (double& time : times) {
        const auto start = std::chrono::steady_clock::now();
        bell.sleep(number);
        time = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    }
    std::sort(times.begin(), times.end());
    return times;
}

double median(const std::vector<double>& times) { return times[times.size() / 2]; }

} // namespace

TEST_CASE("a ring changes the number while somebody is announced, and not else") {
    Bell bell;
    const std::uint32_t before = bell.number();
    bell.ring();
    CHECK(bell.number() == before);
    CHECK(bell.announce() == before);
    bell.ring();
    CHECK(bell.number() == before + 1);
    bell.ring();
    CHECK(bell.number() == before + 2);
    bell.retract();
    bell.ring();
    CHECK(bell.number() == before + 2);
}

TEST_CASE("a ring is for all who are announced, until the last one retracts") {
    Bell bell;
    const std::uint32_t before = bell.announce();
    CHECK(bell.announce() == before);
    bell.retract();
    bell.ring();
    CHECK(bell.number() == before + 1);
    bell.retract();
    bell.ring();
    CHECK(bell.number() == before + 1);
}

TEST_CASE("who sleeps at a number that has passed wakes at once, else after a while") {
    Bell bell;
    const std::uint32_t before = bell.announce();
    CHECK(median(sleep_at(bell, before)) > 100e-6);
    bell.ring();
    CHECK(sleep_at(bell, before).front() < 100e-6);
    CHECK(median(sleep_at(bell, bell.number())) > 100e-6);
}
