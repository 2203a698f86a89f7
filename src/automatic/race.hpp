// SPDX-License-Identifier: BSD-3-Clause
//
// The first calls of a plan, by turns on it and by the host: what each took on this rank. The ranks
// then compare, and keep what was quicker.
#pragma once

#include <algorithm>
#include <chrono>
#include <vector>

namespace mpix::automatic {

class Race {
  public:
    using Clock = std::chrono::steady_clock;
    enum class Way { plan, host };

    // Of so many calls.
    explicit Race(int calls) : block_(std::max(calls / blocks, 2)) {}

    bool is_over() const { return call_ == blocks * block_; }
    Way next() const { return call_ / block_ % 2 == 0 ? Way::plan : Way::host; }

    void begin() { began_ = Clock::now(); }
    void end() {
        const double us = std::chrono::duration<double, std::micro>(Clock::now() - began_).count();
        // The first of a block comes from the other way.
        if (call_ % block_ > 0) times_[static_cast<int>(next())].push_back(us);
        ++call_;
    }

    double median(Way way) const {
        std::vector<double> of = times_[static_cast<int>(way)];
        const auto middle = of.begin() + static_cast<std::ptrdiff_t>(of.size() / 2);
        std::nth_element(of.begin(), middle, of.end());
        return *middle;
    }

  private:
    static constexpr int blocks = 4;

    const int block_;
    int call_ = 0;
    Clock::time_point began_;
    std::vector<double> times_[2];
};

} // namespace mpix::automatic
