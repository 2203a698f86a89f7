// SPDX-License-Identifier: BSD-3-Clause
//
// Marks of partitions: each is claimed once a round, whoever tries and however many at once.
#include "catch2.hpp"
#include "progress/marks.hpp"

#include <algorithm>
#include <atomic>
#include <thread>
#include <vector>

using mpix::progress::Marks;

namespace {

std::size_t claim_all(Marks& marks, std::size_t partitions, bool several) {
    std::size_t claimed = 0;
    for (std::size_t p = 0; p < partitions;) {
        const std::size_t end = several ? marks.claim_several(p, partitions - 1) : p;
        claimed += end > p ? end - p : marks.claim(p);
        p = std::max(end, p + 1);
    }
    return claimed;
}

} // namespace

TEST_CASE("a partition is claimed once in each round") {
    for (const std::size_t partitions : {1u, 7u, 8u, 9u, 64u, 100u}) {
        Marks marks(partitions);
        for (int round = 0; round < 600; ++round) { // numbers of rounds come again after 255
            marks.start_round();
            CHECK_FALSE(marks.has(partitions / 2));
            CHECK(marks.claim(partitions / 2));
            CHECK_FALSE(marks.claim(partitions / 2));
            CHECK(marks.has(partitions / 2));
            CHECK(claim_all(marks, partitions, round % 2 == 0) == partitions - 1);
        }
    }
}

TEST_CASE("what was given back may be claimed again") {
    Marks marks(20);
    marks.start_round();
    CHECK(marks.claim(11));
    marks.give_back(11);
    CHECK_FALSE(marks.has(11));
    CHECK(claim_all(marks, 20, true) == 20);
}

TEST_CASE("threads that claim the same partitions get each of them once") {
    constexpr std::size_t partitions = 1000;
    Marks marks(partitions);
    for (int round = 0; round < 50; ++round) {
        marks.start_round();
        std::atomic<std::size_t> claimed{0};
        std::vector<std::thread> threads;
        for (int t = 0; t < 4; ++t)
            threads.emplace_back([&, t] { claimed += claim_all(marks, partitions, t % 2 == 0); });
        for (std::thread& thread : threads) thread.join();
        CHECK(claimed == partitions);
    }
}
