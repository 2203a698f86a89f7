// SPDX-License-Identifier: BSD-3-Clause
//
// The race of one operation's contenders at one size. Prints nothing.
#pragma once

#include "bench/collectives/contenders.hpp"
#include "bench/common/interleave.hpp"

#include <cstddef>
#include <optional>
#include <vector>

namespace mpix::bench {

// Times of one operation, each the maximum over the ranks.
struct Times {
    const ContenderKind* contender;
    Verdict verdict = Verdict::missing;
    int iterations = 0; // in a batch
    Spread of_batches{};
};

struct Cell {
    const Operation* operation;
    std::size_t bytes; // of a block
    int rounds;        // really run
    std::vector<Times> times;
};

// The least among the host's contenders with right answers; none without such a contender.
std::optional<double> best_of_host(const Cell& cell, double Spread::*statistic);
// That over the time of one of ours; none where ours is wrong.
std::optional<double> ratio(const Cell& cell, const Times& ours, double Spread::*statistic);

// Whether mpix did. Where a call of the host is wrong, so is a plain call, which most likely is
// its.
bool is_answered_right(const Cell& cell);

// Collective.
Cell measure(const Operation& operation, std::size_t bytes, const Kinds& kinds, const Pace& pace,
             const HostLibrary& host, const Ranks& ranks);

} // namespace mpix::bench
