// SPDX-License-Identifier: BSD-3-Clause
// The first rounds of an operation, by turns on its plan and by the host.
#include "catch2.hpp"
#include "progress/race.hpp"

#include <thread>

using mpix::progress::Race;
using mpix::progress::RaceTimes;

namespace {

void sleep_ms(int ms) { std::this_thread::sleep_for(std::chrono::milliseconds(ms)); }

} // namespace

TEST_CASE("half of the rounds are the host's, and their times are told apart") {
    Race race(16);
    int rounds = 0, of_host = 0;
    while (!race.is_over()) {
        const bool is_host = race.next() == Race::Way::host;
        race.begin();
        sleep_ms(is_host ? 4 : 1);
        race.end();
        of_host += is_host;
        ++rounds;
    }
    CHECK(rounds == 16);
    CHECK(of_host == 8);
    const RaceTimes times = race.times();
    CHECK(times.plan_period >= 1000);
    CHECK(times.host_period >= 4000);
    CHECK(times.plan_period < times.host_period);
    CHECK(times.plan >= 1000);
}

TEST_CASE("what follows a round counts for its period alone") {
    Race race(12);
    while (!race.is_over()) {
        const bool is_plan = race.next() == Race::Way::plan;
        race.begin();
        race.end();
        sleep_ms(is_plan ? 20 : 1);
    }
    const RaceTimes times = race.times();
    CHECK(times.plan < 15000);
    CHECK(times.plan_period >= 20000);
    CHECK(times.is_host_quicker());
}

TEST_CASE("a race of few rounds has a time of each way") {
    for (const int wanted : {1, 3, 8}) {
        Race race(wanted);
        for (; !race.is_over(); race.end()) race.begin();
        const RaceTimes times = race.times();
        CHECK(times.plan_period >= 0);
        CHECK(times.host_period >= 0);
        CHECK(times.plan >= 0);
    }
}

TEST_CASE("the plan has the rounds in which it settles, and they are not timed") {
    Race race(12, true);
    for (int round = 0; round < Race::settling; ++round) {
        CHECK(race.next() == Race::Way::plan);
        race.begin();
        sleep_ms(3);
        race.end();
    }
    int rounds = 0;
    for (; !race.is_over(); race.end(), ++rounds) race.begin();
    CHECK(rounds == 12);
    CHECK(race.times().plan < 3000);
    CHECK(race.times().plan_period < 3000);
}

TEST_CASE("what is near is left to the plan") {
    CHECK_FALSE(RaceTimes{100, 97, 90}.is_host_quicker());
    CHECK(RaceTimes{100, 90, 90}.is_host_quicker());
    CHECK(RaceTimes{1000, 990, 90}.is_host_quicker()); // most is the program's
    CHECK_FALSE(RaceTimes{100, 120, 90}.is_host_quicker());
}
