// SPDX-License-Identifier: BSD-3-Clause
//
// Which way of two a sender keeps, by how long its rounds took.
#include "shmem/preference.hpp"

#include "catch2.hpp"

#include <functional>

using mpix::shmem::Preference;

namespace {

constexpr int rounds_tried = Preference::trial, rounds_between = Preference::first_pause;

class Program {
  public:
    // How long a round takes, staged or left.
    using Took = std::function<std::uint64_t(bool is_left, int round)>;

    // Of so many rounds, how many were left.
    int run(int rounds, const Took& took) {
        int many_left = 0;
        for (int i = 0; i < rounds; ++i) {
            const bool is_left = preference_.leaves_next(now_);
            many_left += is_left;
            now_ += took(is_left, round_++);
        }
        return many_left;
    }

  private:
    Preference preference_;
    std::uint64_t now_ = 1'000'000;
    int round_ = 0;
};

Program::Took takes(std::uint64_t when_staged, std::uint64_t when_left) {
    return [=](bool is_left, int) { return is_left ? when_left : when_staged; };
}

} // namespace

TEST_CASE("both ways are tried, and the quicker one is kept") {
    Program one, other;
    CHECK(one.run(rounds_tried, takes(1000, 1500)) == rounds_tried / 2);
    CHECK(one.run(rounds_between, takes(1000, 1500)) == 0);
    CHECK(other.run(rounds_tried, takes(1500, 1000)) == rounds_tried / 2);
    CHECK(other.run(rounds_between, takes(1500, 1000)) == rounds_between);
}

TEST_CASE("what is about as quick is staged") {
    Program program;
    program.run(rounds_tried, takes(1000, 980));
    CHECK(program.run(rounds_between, takes(1000, 980)) == 0);
}

TEST_CASE("a trial that shows nothing leaves things as they were") {
    Program program;
    program.run(rounds_tried + rounds_between, takes(1500, 1000));
    program.run(rounds_tried, takes(1000, 1000));
    CHECK(program.run(2 * rounds_between, takes(1000, 1000)) == 2 * rounds_between);
}

TEST_CASE("a round that was disturbed decides nothing") {
    for (int disturbed = 0; disturbed < rounds_tried; ++disturbed)
        for (const std::uint64_t when_left : {700, 1400}) {
            INFO("round " << disturbed << ", left " << when_left);
            Program program;
            const auto took = [&](bool is_left, int round) {
                return (is_left ? when_left : 1000) + (round == disturbed ? 50'000 : 0);
            };
            program.run(rounds_tried, took);
            CHECK(program.run(rounds_between, took) == (when_left < 1000 ? rounds_between : 0));
        }
}

TEST_CASE("what a program does every few rounds unsettles nothing") {
    for (int every : {3, 4, 5, 6, 7})
        for (int first = 0; first < every; ++first) {
            INFO("round " << first << " of " << every);
            Program program;
            const auto took = [&](bool is_left, int round) {
                return (is_left ? 700u : 1000u) + (round % every == first ? 50'000u : 0u);
            };
            program.run(rounds_tried, took);
            constexpr int many = 100'000;
            const int many_staged = many - program.run(many, took);
            CHECK(many_staged < many / 100);
        }
}

TEST_CASE("what changes is noticed, and trials become seldom") {
    Program program;
    program.run(rounds_tried + rounds_between, takes(1000, 2000));
    program.run(rounds_tried, takes(2000, 1000));
    CHECK(program.run(2 * rounds_between, takes(2000, 1000)) == 2 * rounds_between);
    program.run(100'000, takes(2000, 1000));
    constexpr int many = 200'000;
    const int many_staged = many - program.run(many, takes(2000, 1000));
    CHECK(many_staged <=
          rounds_tried / 2 * (many / static_cast<int>(Preference::longest_pause) + 1));
    CHECK(many_staged > 0);
}
