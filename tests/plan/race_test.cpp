// SPDX-License-Identifier: BSD-3-Clause
// The first rounds of an operation, by turns on its plan, on another one and by the host.
#include "catch2.hpp"
#include "progress/race.hpp"

#include <algorithm>
#include <array>
#include <climits>
#include <thread>
#include <vector>

using mpix::progress::Meets;
using mpix::progress::Race;
using mpix::progress::RaceTimes;
using mpix::progress::RoundTimes;

namespace {

void sleep_ms(int ms) { std::this_thread::sleep_for(std::chrono::milliseconds(ms)); }

std::size_t quickest(const std::vector<double>& periods, double plan,
                     double margin = RaceTimes::clearly) {
    RaceTimes times;
    std::ranges::copy(periods, times.periods.begin());
    times.plan = plan;
    return times.quickest(periods.size(), margin);
}

} // namespace

TEST_CASE("half of the rounds are the host's, and their times are told apart") {
    Race race({16}, 2);
    int rounds = 0, of_host = 0;
    while (!race.is_over()) {
        const bool is_host = race.next() == 1;
        race.begin();
        sleep_ms(is_host ? 4 : 1);
        race.end();
        of_host += is_host;
        ++rounds;
    }
    CHECK(rounds == 16);
    CHECK(of_host == 8);
    const RaceTimes times = race.times();
    CHECK(times.periods[0] >= 1000);
    CHECK(times.periods[1] >= 4000);
    CHECK(times.periods[0] < times.periods[1]);
    CHECK(times.plan >= 1000);
}

TEST_CASE("what follows a round counts for its period alone") {
    Race race({12}, 2);
    while (!race.is_over()) {
        const bool is_plan = race.next() == 0;
        race.begin();
        race.end();
        sleep_ms(is_plan ? 20 : 1);
    }
    const RaceTimes times = race.times();
    CHECK(times.plan < 15000);
    CHECK(times.periods[0] >= 20000);
    CHECK(times.quickest(2) == 1);
}

TEST_CASE("a race of few rounds has a time of each way") {
    for (const int wanted : {1, 3, 8}) {
        Race race({wanted}, 2);
        for (; !race.is_over(); race.end()) race.begin();
        const RaceTimes times = race.times();
        CHECK(times.periods[0] >= 0);
        CHECK(times.periods[1] >= 0);
        CHECK(times.plan >= 0);
    }
}

TEST_CASE("the plan has the rounds in which it settles, and they are not timed") {
    Race race({12}, 2, 1);
    for (int round = 0; round < Race::settling; ++round) {
        CHECK(race.next() == 0);
        race.begin();
        sleep_ms(3);
        race.end();
    }
    int rounds = 0;
    for (; !race.is_over(); race.end(), ++rounds) race.begin();
    CHECK(rounds == 12);
    CHECK(race.times().plan < 3000);
    CHECK(race.times().periods[0] < 3000);
}

TEST_CASE("a race of as many rounds as one can ask for ends, and each way has its share") {
    Race race({INT_MAX}, RaceTimes::most_ways);
    std::array<int, RaceTimes::most_ways> rounds{};
    for (; !race.is_over(); race.end()) {
        ++rounds[race.next()];
        race.begin();
    }
    CHECK(rounds == std::array{2'000'000, 2'000'000, 2'000'000});
    CHECK(race.times().plan < 1000);
}

TEST_CASE("of very many rounds the last thousand count") {
    RoundTimes times(5000);
    for (int round = 0; round < 5000; ++round) times.add(round < 3900 ? 1 : 2);
    CHECK(times.mean() == 2);
    RoundTimes few(3);
    for (const double us : {1, 2, 60}) few.add(us);
    CHECK(few.mean() == 1.5); // without the one that was interrupted
}

TEST_CASE("rounds that are quick and slow by turns count by their mean") {
    Race race({32}, 2);
    for (int round = 0; !race.is_over(); race.end(), ++round) {
        const bool is_steady = race.next() == 1;
        race.begin();
        sleep_ms(is_steady ? 6 : round % 2 * 8);
    }
    CHECK(race.times().quickest(2) == 0);
}

TEST_CASE("rounds that the machine interrupted do not count") {
    Race race({32}, 2);
    for (int round = 0; !race.is_over(); race.end(), ++round) {
        const bool is_steady = race.next() == 1;
        race.begin();
        sleep_ms(is_steady ? 6 : round % 8 == 5 ? 60 : 2);
    }
    CHECK(race.times().quickest(2) == 0);
}

TEST_CASE("what is near is left to the plan") {
    CHECK(quickest({100, 97}, 90) == 0);
    CHECK(quickest({100, 90}, 90) == 1);
    CHECK(quickest({1000, 990}, 90) == 1); // most is the program's
    CHECK(quickest({100, 120}, 90) == 0);
    CHECK(quickest({100, 90}, 90, 0.2) == 0);
    CHECK(quickest({100, 80, 70}, 90, 0.2) == 1);
}

TEST_CASE("a race keeps the margin of its rules, among its own ways") {
    RaceTimes times;
    times.periods = {100, 90, 10};
    times.plan = 90;
    CHECK(Race({12}, 2).winner(times) == 1);
    CHECK(Race({12, 0.2}, 2).winner(times) == 0);
    CHECK(Race({12, 0.2}, 3).winner(times) == 2);
}

TEST_CASE("of three ways each has as many rounds, and is timed for itself") {
    Race race({16}, 3);
    std::array<int, 3> rounds{};
    for (; !race.is_over(); race.end()) {
        const std::size_t way = race.next();
        ++rounds[way];
        race.begin();
        sleep_ms(way == 1 ? 1 : 4);
    }
    CHECK(rounds == std::array{8, 8, 8});
    const RaceTimes times = race.times();
    CHECK(times.periods[1] < times.periods[0]);
    CHECK(times.periods[1] < times.periods[2]);
    CHECK(times.quickest(3) == 1);
}

TEST_CASE("ways settle one after the other") {
    const std::size_t settled = GENERATE(2, 3); // of three
    Race race({12}, 3, settled);
    std::vector<std::size_t> ways;
    for (; !race.is_over(); race.end()) {
        ways.push_back(race.next());
        race.begin();
    }
    REQUIRE(ways.size() == settled * Race::settling + 18);
    for (std::size_t round = 0; round < settled * Race::settling; ++round)
        CHECK(ways[round] == round / Race::settling);
    for (std::size_t round = 0; round < 18; ++round)
        CHECK(ways[settled * Race::settling + round] == round / 3 % 3);
}

TEST_CASE("the host has to be clearly quicker than the best of the plans") {
    CHECK(quickest({100, 80, 79}, 90) == 1);
    CHECK(quickest({100, 80, 70}, 90) == 2);
    CHECK(quickest({100, 98, 90}, 90) == 2);
    CHECK(quickest({100, 98, 97}, 90) == 0);
}

TEST_CASE("a slow moment in one of its blocks costs a way nothing") {
    Race race({16}, 2);
    for (int round = 0; !race.is_over(); race.end(), ++round) {
        race.begin();
        sleep_ms(race.next() == 0 ? 4 : round < 8 ? 12 : 1);
    }
    CHECK(race.times().periods[1] < 4000);
    CHECK(race.times().quickest(2) == 1);
}

TEST_CASE("ranks that run ahead meet before each block, which counts for no way") {
    const std::size_t settled = GENERATE(0, 2);
    Race race({.rounds = 12, .meets = Meets::once}, 2, settled);
    std::vector<int> meetings;
    for (int round = -Race::settling * static_cast<int>(settled); !race.is_over(); ++round) {
        if (race.have_to_meet()) {
            sleep_ms(20);
            race.have_met();
            meetings.push_back(round);
            CHECK_FALSE(race.have_to_meet());
        }
        race.begin();
        race.end();
    }
    CHECK_FALSE(race.have_to_meet());
    CHECK(meetings == std::vector{0, 3, 6, 9});
    const RaceTimes times = race.times();
    CHECK(times.periods[0] < 2000);
    CHECK(times.periods[1] < 2000);
}

TEST_CASE("where ranks meet twice all of a block counts, from between the meetings") {
    const std::size_t settled = GENERATE(0, 2);
    Race race({.rounds = 16, .meets = Meets::twice}, 2, settled);
    std::vector<int> meetings;
    for (int round = -Race::settling * static_cast<int>(settled); !race.is_over(); ++round) {
        bool has_met = false;
        while (race.have_to_meet()) {
            sleep_ms(has_met ? 4 : 20); // the first waits for those that are in the block before
            race.have_met();
            meetings.push_back(round);
            has_met = true;
        }
        race.begin();
        if (has_met && race.next() == 0) sleep_ms(8); // for all that has piled up
        race.end();
        sleep_ms(6); // the program's
    }
    CHECK(meetings == std::vector{0, 0, 4, 4, 8, 8, 12, 12});
    const RaceTimes times = race.times();
    CHECK(times.periods[0] >= 3000); // 12 in 4 rounds
    CHECK(times.periods[0] < 6000);
    CHECK(times.plan == times.periods[0]);
    CHECK(times.periods[1] >= 1000);
    CHECK(times.periods[1] < times.periods[0]);
}

TEST_CASE("ranks meet as often as their messages need") {
    using mpix::plan::Kind;
    using mpix::progress::meetings;
    for (const Kind kind :
         {Kind::bcast, Kind::gather, Kind::scatter, Kind::reduce, Kind::scan, Kind::exscan}) {
        CHECK(meetings(kind, true) == Meets::twice);
        CHECK(meetings(kind, false) == Meets::once);
    }
    for (const Kind kind : {Kind::allreduce, Kind::barrier, Kind::alltoall, Kind::neighbor})
        for (const bool are_apart : {false, true}) CHECK(meetings(kind, are_apart) == Meets::never);
}

TEST_CASE("what goes one way has more rounds if short, and a wider margin if it piles up") {
    using mpix::plan::Kind;
    const bool are_apart = GENERATE(false, true);
    const auto rules = [=](Kind of, double expected_us, bool may_pile_up, int wanted) {
        return mpix::progress::rules({.kind = of, .one_node = !are_apart}, expected_us, may_pile_up,
                                     wanted);
    };
    for (const Kind kind :
         {Kind::bcast, Kind::gather, Kind::scatter, Kind::reduce, Kind::scan, Kind::exscan}) {
        CHECK(rules(kind, 5, true, 32).rounds == (are_apart ? 512 : 256));
        CHECK(rules(kind, 100, true, 32).rounds == 128);
        CHECK(rules(kind, 1000, true, 32).rounds == 32);
        CHECK(rules(kind, 5, true, INT_MAX).rounds == INT_MAX / 2);
        CHECK(rules(kind, 5, true, 32).meets == (are_apart ? Meets::twice : Meets::once));
        CHECK(rules(kind, 5, false, 32).margin == RaceTimes::clearly);
    }
    CHECK(rules(Kind::scatter, 5, true, 32).margin == 0.2);
    for (const Kind kind : {Kind::bcast, Kind::gather, Kind::reduce})
        CHECK(rules(kind, 5, true, 32).margin == (are_apart ? 0.1 : 0.2));
    for (const Kind kind : {Kind::scan, Kind::exscan})
        CHECK(rules(kind, 5, true, 32).margin == RaceTimes::clearly);
    for (const Kind kind : {Kind::allreduce, Kind::barrier, Kind::alltoall, Kind::neighbor}) {
        CHECK(rules(kind, 5, true, 32).rounds == 32);
        CHECK(rules(kind, 5, true, 32).margin == RaceTimes::clearly);
        CHECK(rules(kind, 5, true, 32).meets == Meets::never);
    }
}
