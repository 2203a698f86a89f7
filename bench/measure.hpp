// SPDX-License-Identifier: BSD-3-Clause
//
// Interleaved batches: each contender runs a batch, then each runs another, for a number of rounds,
// so that what disturbs the machine disturbs all alike. Prints nothing.
#pragma once

#include "contenders.hpp"

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>

namespace mpix::bench {

// Times of one operation, in nanoseconds, each the maximum over the ranks.
struct Times {
    std::string_view contender;
    Verdict verdict = Verdict::missing;
    int iterations = 0; // in a batch
    double minimum = 0; // of the batches' means
    double median = 0;
};

struct Cell {
    const Operation* operation;
    std::size_t bytes; // of a block
    int rounds;        // really run
    std::array<Times, contender_count> times;
};

// The best host contender with right answers over mpix; none without such a contender, or where
// mpix is wrong.
std::optional<double> ratio(const Cell& cell, double Times::*statistic);

// Nanoseconds that two readings of the clock add to what lies between them; taken off each time.
double clock_cost();

// Collective.
Cell measure(const Operation& operation, std::size_t bytes, int rounds, const HostLibrary& host,
             const Ranks& ranks);

} // namespace mpix::bench
