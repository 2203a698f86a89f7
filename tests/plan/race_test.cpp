// SPDX-License-Identifier: BSD-3-Clause
// The first calls of a plain collective, by turns on its plan and by the host.
#include "automatic/race.hpp"
#include "catch2.hpp"

#include <thread>

using mpix::automatic::Race;

TEST_CASE("half of the calls are the host's, and their times are told apart") {
    Race race(16);
    int calls = 0, of_host = 0;
    while (!race.is_over()) {
        const bool is_host = race.next() == Race::Way::host;
        race.begin();
        std::this_thread::sleep_for(std::chrono::milliseconds(is_host ? 4 : 1));
        race.end();
        of_host += is_host;
        ++calls;
    }
    CHECK(calls == 16);
    CHECK(of_host == 8);
    CHECK(race.median(Race::Way::plan) >= 1000);
    CHECK(race.median(Race::Way::host) >= 4000);
    CHECK(race.median(Race::Way::plan) < race.median(Race::Way::host));
}

TEST_CASE("a race of few calls has a time of each way") {
    for (const int wanted : {1, 3, 8}) {
        Race race(wanted);
        for (; !race.is_over(); race.end()) race.begin();
        CHECK(race.median(Race::Way::plan) >= 0);
        CHECK(race.median(Race::Way::host) >= 0);
    }
}
