// SPDX-License-Identifier: BSD-3-Clause
//
// Interleaved batches: each runner runs a batch, then each runs another, for a number of rounds, so
// that what disturbs the machine disturbs all alike. Knows nothing of what is run.
#pragma once

#include "bench/common/timing.hpp"

#include <functional>
#include <vector>

namespace mpix::bench {

// How long to look. Times in nanoseconds; at the end of a cell's time there are no more rounds.
struct Pace {
    int rounds = 20;
    double batch_time = 2e6;
    int fewest_iterations = 1; // in a batch, however long they take
    double cell_time = 0.7e9;
    bool rewrites = true;  // what is sent, before every operation
    bool integers = false; // are sent, and not doubles
};

// Nanoseconds an operation, the mean of a batch, on this rank or on all.
struct Batch {
    double whole = 0;
    double after =
        0; // the part of it that comes when the program has done its work, if that is told
    bool right = true; // all answers on this rank
};

struct Runner {
    std::function<Batch(int iterations)> run; // collective
    bool right = true;                        // the same everywhere
    int iterations = 0;                       // in a batch
    std::vector<double> whole{}, after{};     // of each batch
};

// Runs the runners of a list that are right, and stay so. Collective. Returns how many rounds.
int interleave(const std::vector<Runner*>& runners, const Pace& pace, const Ranks& ranks);

} // namespace mpix::bench
