// SPDX-License-Identifier: BSD-3-Clause
//
// The doorbell: who rings takes the trouble only where someone has announced that he sleeps.
#include "catch2.hpp"
#include "shmem/doorbell.hpp"

#include <algorithm>
#include <chrono>
#include <vector>

using namespace mpix::shmem;

namespace {

constexpr std::int64_t longest_ns = 250'000;

// Seconds that each of some sleeps takes, the shortest first.
std::vector<double> sleep_at(Doorbell& doorbell, std::uint32_t number) {
    std::vector<double> times(21);
    for (double& time : times) {
        const auto start = std::chrono::steady_clock::now();
        doorbell.sleep(number, longest_ns);
        time = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    }
    std::sort(times.begin(), times.end());
    return times;
}

double median(const std::vector<double>& times) { return times[times.size() / 2]; }

} // namespace

TEST_CASE("a ring changes the number while somebody is announced, and not else") {
    Doorbell doorbell;
    const std::uint32_t before = doorbell.number();
    doorbell.ring();
    CHECK(doorbell.number() == before);
    CHECK(doorbell.announce() == before);
    doorbell.ring();
    CHECK(doorbell.number() == before + 1);
    doorbell.ring();
    CHECK(doorbell.number() == before + 2);
    doorbell.retract();
    doorbell.ring();
    CHECK(doorbell.number() == before + 2);
}

TEST_CASE("a ring is for all who are announced, until the last one retracts") {
    Doorbell doorbell;
    const std::uint32_t before = doorbell.announce();
    CHECK(doorbell.announce() == before);
    doorbell.retract();
    doorbell.ring();
    CHECK(doorbell.number() == before + 1);
    doorbell.retract();
    doorbell.ring();
    CHECK(doorbell.number() == before + 1);
}

TEST_CASE("who sleeps at a number that has passed wakes at once, else after a while") {
    Doorbell doorbell;
    const std::uint32_t before = doorbell.announce();
    CHECK(median(sleep_at(doorbell, before)) > 100e-6);
    doorbell.ring();
    CHECK(sleep_at(doorbell, before).front() < 100e-6);
    CHECK(median(sleep_at(doorbell, doorbell.number())) > 100e-6);
    CHECK(doorbell.sleep(before, longest_ns));
    CHECK_FALSE(doorbell.sleep(doorbell.number(), longest_ns));
}
