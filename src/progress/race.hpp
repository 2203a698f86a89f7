// SPDX-License-Identifier: BSD-3-Clause
//
// The first rounds of a plan, by turns by it and by the host, and what they took on this rank. The
// ranks then compare, and keep what made rounds follow each other faster: what one of them takes on
// one rank does not tell that, where ranks take turns on a core or the next round waits for the
// last.
#pragma once

#include <algorithm>
#include <chrono>
#include <vector>

namespace mpix::progress {

// Medians, in microseconds. The largest of any rank is taken.
struct RaceTimes {
    // From the begin of a round to that of the next: with what the program does between them.
    double plan_period = 0, host_period = 0;
    double plan = 0; // of a round alone
    static constexpr int count = 3;

    double* data() { return &plan_period; }
    // The host has to be so much quicker: what is near is left to the plan.
    bool is_host_quicker() const {
        constexpr double clearly = 0.05;
        return plan_period - host_period > clearly * plan;
    }
};
static_assert(sizeof(RaceTimes) == RaceTimes::count * sizeof(double));

class Race {
  public:
    using Clock = std::chrono::steady_clock;
    enum class Way { plan, host };

    // Of so many rounds. If it settles the plan has some before, in which senders of long messages
    // try out how to send them.
    static constexpr int settling = 16;
    explicit Race(int rounds, bool settles = false)
        : block_(std::max(rounds / blocks, 3)), round_(settles ? -settling : 0) {}

    bool is_over() const { return round_ == blocks * block_; }
    Way next() const { return round_ < 0 || round_ / block_ % 2 == 0 ? Way::plan : Way::host; }

    void begin() {
        const Clock::time_point now = Clock::now();
        if (round_ >= 0 && round_ % block_ > 1) periods_[index()].push_back(us(began_, now));
        began_ = now;
    }
    void end() {
        // The first of a block comes from the other way.
        if (round_ % block_ > 0 && next() == Way::plan) plan_.push_back(us(began_, Clock::now()));
        ++round_;
    }

    RaceTimes times() const { return {median(periods_[0]), median(periods_[1]), median(plan_)}; }

  private:
    static constexpr int blocks = 4;

    std::size_t index() const { return static_cast<std::size_t>(next()); }
    static double us(Clock::time_point from, Clock::time_point to) {
        return std::chrono::duration<double, std::micro>(to - from).count();
    }
    static double median(std::vector<double> of) {
        const auto middle = of.begin() + static_cast<std::ptrdiff_t>(of.size() / 2);
        std::nth_element(of.begin(), middle, of.end());
        return *middle;
    }

    const int block_;
    int round_; // below 0 while it settles
    Clock::time_point began_;
    std::vector<double> periods_[2], plan_;
};

// What takes as long may have long messages.
inline constexpr double settles_from_us = 4;

} // namespace mpix::progress
