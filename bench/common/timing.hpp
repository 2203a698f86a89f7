// SPDX-License-Identifier: BSD-3-Clause
//
// The clock of every measurement here, and what is said of a list of batches. Times are
// nanoseconds.
#pragma once

#include "bench/common/ranks.hpp"

#include <chrono>
#include <vector>

namespace mpix::bench {

using Clock = std::chrono::steady_clock;

inline double nanoseconds(Clock::duration duration) {
    return std::chrono::duration<double, std::nano>(duration).count();
}

// What two readings of the clock add to what lies between them.
double clock_cost();

struct Spread {
    double minimum = 0;
    double median = 0;
};

Spread spread(std::vector<double> values);
// Collective: the spread of each batch's maximum over the ranks.
Spread spread(std::vector<double> batches, const Ranks& ranks);

} // namespace mpix::bench
