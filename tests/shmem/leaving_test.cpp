// SPDX-License-Identifier: BSD-3-Clause
//
// Who leaves a node in which not all can map each other: from what each says to what is left.
#include "catch2.hpp"
#include "comm/leaving.hpp"

#include <numeric>
#include <random>
#include <set>
#include <vector>

using mpix::comm::leaves;
using mpix::comm::Missing;

namespace {

// Pairs (who, whom): who cannot map whom.
using Failing = std::set<std::pair<int, int>>;

// What those that are still there would say of each other, by position.
std::vector<Missing> told(const std::vector<int>& there, const Failing& failing,
                          const std::set<int>& without_memory) {
    std::vector<Missing> all;
    const auto count = static_cast<int>(there.size());
    for (const int who : there) {
        Missing missing;
        for (int position = 0; position < count; ++position)
            if (failing.contains({who, there[static_cast<std::size_t>(position)]}) &&
                missing.mates++ == 0)
                missing.first = position;
        all.push_back(without_memory.contains(who) ? Missing{count, 0} : missing);
    }
    return all;
}

// Rounds until nobody leaves; returns who stays.
std::vector<int> stay(int ranks, const Failing& failing, const std::set<int>& without_memory = {}) {
    std::vector<int> there(static_cast<std::size_t>(ranks));
    std::iota(there.begin(), there.end(), 0);
    for (int round = 0; round <= ranks; ++round) {
        const std::vector<Missing> all = told(there, failing, without_memory);
        std::vector<int> left;
        for (int position = 0; position < static_cast<int>(there.size()); ++position)
            if (!leaves(all, position)) left.push_back(there[static_cast<std::size_t>(position)]);
        if (left.size() == there.size()) return there;
        there = left;
    }
    FAIL("they never stop leaving");
    return {};
}

using Ranks = std::vector<int>;

} // namespace

TEST_CASE("nobody leaves a node where everybody has everybody") {
    CHECK(stay(1, {}) == Ranks{0});
    CHECK(stay(5, {}) == Ranks{0, 1, 2, 3, 4});
}

TEST_CASE("who can map nobody leaves alone, and so does who can be mapped by nobody") {
    CHECK(stay(5, {{2, 0}, {2, 1}, {2, 3}, {2, 4}}) == Ranks{0, 1, 3, 4});
    CHECK(stay(5, {{0, 2}, {1, 2}, {3, 2}, {4, 2}}) == Ranks{0, 1, 3, 4});
    CHECK(stay(2, {{0, 1}}).size() == 1);
}

TEST_CASE("who has no memory leaves, and of a pair that fails one does") {
    CHECK(stay(4, {}, {1}) == Ranks{0, 2, 3});
    CHECK(stay(6, {}, {0, 5}) == Ranks{1, 2, 3, 4});
    CHECK(stay(5, {{1, 3}}) == Ranks{0, 1, 2, 4});
    CHECK(stay(5, {{3, 1}, {1, 3}}) == Ranks{0, 1, 2, 4});
}

TEST_CASE("whatever fails, those that stay have each other, and few leave") {
    std::minstd_rand dice(7);
    for (int turn = 0; turn < 300; ++turn) {
        const int ranks = 2 + static_cast<int>(dice() % 9);
        const auto draw = [&] { return static_cast<int>(dice() % static_cast<unsigned>(ranks)); };
        Failing failing;
        for (auto pairs = dice() % 6; pairs > 0; --pairs) {
            const int who = draw(), whom = draw();
            if (who != whom) failing.insert({who, whom});
        }
        const std::vector<int> left = stay(ranks, failing);
        for (const auto& [who, whom] : failing) {
            const bool is_left = std::ranges::count(left, who) && std::ranges::count(left, whom);
            CHECK_FALSE(is_left);
        }
        CHECK(left.size() + failing.size() >= static_cast<std::size_t>(ranks));
    }
}
