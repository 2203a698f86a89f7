// SPDX-License-Identifier: BSD-3-Clause
//
// The first rounds of a plan, by turns by its ways and by the host, and what they took on this
// rank. The ranks then compare, and keep what made rounds follow each other faster: what one of
// them takes on one rank does not tell that, where ranks take turns on a core or the next round
// waits for the last. Where some only send they run ahead, through all rounds of one way while the
// others are in those of the one before: there the ranks meet before each block. Between nodes a
// meeting takes as long as many rounds: whoever receives comes late out of it, and finds in a few
// rounds what has piled up. So every round of a block counts there, the first from before a second
// meeting, and what the program does between them does not.
#pragma once

#include "plan/problem.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace mpix::progress {

// Means of a block, in microseconds, and of two blocks the quicker one: a machine has slow moments.
// The largest of any rank is taken.
struct RaceTimes {
    static constexpr std::size_t most_ways = 3; // the plan's, of a rival, of the host

    // Of each way, from the begin of a round to that of the next: with what the program does
    // between them. Where ranks meet twice, of a round alone.
    std::array<double, most_ways> periods{};
    double plan = 0; // of a round of the first way alone
    static constexpr int count = most_ways + 1;

    double* data() { return periods.data(); }
    // A way has to be quicker than those before it by this share of what the plan takes: what is
    // near is left to the plan.
    static constexpr double clearly = 0.05;
    std::size_t quickest(std::size_t ways, double margin = clearly) const {
        std::size_t taken = 0;
        for (std::size_t way = 1; way < ways; ++way)
            if (periods[taken] - periods[way] > margin * plan) taken = way;
        return taken;
    }
};
static_assert(sizeof(RaceTimes) == RaceTimes::count * sizeof(double));

enum class Meets : unsigned char { never, once, twice };

struct RaceRules {
    int rounds;                         // as Race has them
    double margin = RaceTimes::clearly; // as RaceTimes::quickest has it
    Meets meets = Meets::never;         // before each block
};

// How often the ranks of such an operation meet. Of those on several nodes some are late out of a
// meeting.
Meets meetings(plan::Kind kind, bool are_apart);

// For an operation of this shape, whose plan is expected to take so long, where so many rounds are
// wanted of others. `may_pile_up`: no receiver is asked before a block is sent.
RaceRules rules(const plan::Shape& shape, double expected_us, bool may_pile_up, int wanted);

// For people: of the ways of these solvers, of which that one was taken.
std::string to_text(const RaceTimes& times, std::span<const std::string_view> ways,
                    std::size_t taken);

// What the rounds of a block took. They begin below the host's progress, where no memory is asked
// for: the last so many tell what all would.
class RoundTimes {
  public:
    explicit RoundTimes(int rounds = 0) : most_(static_cast<std::size_t>(std::min(rounds, 1024))) {
        us_.reserve(most_);
    }

    void add(double us) {
        if (us_.size() < most_)
            us_.push_back(us);
        else
            us_[added_ % most_] = us;
        ++added_;
        total_ += us;
    }

    // Without the rounds in which the machine did something else. A median would not do: where
    // ranks take turns on a core, rounds are of a quick kind and of a slow one. Puts them in
    // another order.
    double mean() {
        constexpr double interrupted = 8; // times as long as the middle one
        const auto middle = us_.begin() + static_cast<std::ptrdiff_t>(us_.size() / 2);
        std::nth_element(us_.begin(), middle, us_.end());
        const double longest = interrupted * *middle;
        double sum = 0;
        int rounds = 0;
        for (const double us : us_) {
            if (us > longest) continue;
            sum += us;
            ++rounds;
        }
        return sum / rounds;
    }
    double mean_of_all() const { return total_ / static_cast<double>(added_); }

  private:
    std::size_t most_;
    std::size_t added_ = 0;
    double total_ = 0;
    std::vector<double> us_;
};

class Race {
  public:
    using Clock = std::chrono::steady_clock;

    // Each way has half of so many rounds, in two blocks. The first of them, as many as settle,
    // have some before, in which senders of long messages try out how to send them, and what is
    // used for the first time is made.
    static constexpr int settling = 17;
    Race(const RaceRules& rules, std::size_t ways, std::size_t settled = 0)
        : ways_(ways), block_(std::clamp(rules.rounds / 4, 3, longest_block)),
          margin_(rules.margin), round_(-settling * static_cast<int>(settled)), first_(round_),
          meeting_(rules.meets == Meets::never ? never : 0),
          all_counts_(rules.meets == Meets::twice), plan_(2 * block_) {
        for (std::size_t way = 0; way < ways_; ++way)
            periods_[way] = {RoundTimes(block_), RoundTimes(block_)};
    }

    std::size_t host() const { return ways_ - 1; }
    bool is_over() const { return round_ == 2 * block_ * static_cast<int>(ways_); }
    std::size_t next() const {
        if (round_ < 0) return static_cast<std::size_t>((round_ - first_) / settling);
        return static_cast<std::size_t>(round_ / block_) % ways_;
    }

    // Before the next round begins.
    bool have_to_meet() const { return round_ == meeting_ && !is_over(); }
    void have_met() {
        const bool is_first_of_two = all_counts_ && !has_met_once_;
        has_met_once_ = is_first_of_two;
        if (is_first_of_two)
            began_ = Clock::now();
        else
            meeting_ = round_ + block_;
    }

    void begin() {
        if (all_counts_ && round_ >= 0 && round_ % block_ == 0) return; // have_met() has begun it
        const Clock::time_point now = Clock::now();
        if (!all_counts_ && round_ >= 0 && round_ % block_ > 1) block().add(us(began_, now));
        began_ = now;
    }
    void end() {
        if (round_ >= 0 && all_counts_)
            block().add(us(began_, Clock::now()));
        else if (round_ >= 0 && round_ % block_ > 0 && next() == 0) // the first is of the other way
            plan_.add(us(began_, Clock::now()));
        ++round_;
    }

    RaceTimes times() {
        RaceTimes times;
        const auto mean = [this](RoundTimes& block) {
            return all_counts_ ? block.mean_of_all() : block.mean();
        };
        for (std::size_t way = 0; way < ways_; ++way)
            times.periods[way] = std::min(mean(periods_[way][0]), mean(periods_[way][1]));
        times.plan = all_counts_ ? times.periods[0] : plan_.mean();
        return times;
    }
    // The way that is taken by the times of all ranks.
    std::size_t winner(const RaceTimes& times) const { return times.quickest(ways_, margin_); }

  private:
    static constexpr int never = -1'000'000'000; // no round
    static constexpr int longest_block = 1'000'000;

    RoundTimes& block() {
        const bool is_second = round_ >= block_ * static_cast<int>(ways_);
        return periods_[next()][is_second];
    }
    static double us(Clock::time_point from, Clock::time_point to) {
        return std::chrono::duration<double, std::micro>(to - from).count();
    }

    const std::size_t ways_;
    const int block_;
    const double margin_;
    int round_; // below 0 while it settles
    const int first_;
    int meeting_; // before that round
    const bool all_counts_;
    bool has_met_once_ = false; // of twice
    Clock::time_point began_;
    std::array<std::array<RoundTimes, 2>, RaceTimes::most_ways> periods_;
    RoundTimes plan_;
};

// What takes as long may have long messages.
inline constexpr double settles_from_us = 4;

} // namespace mpix::progress
