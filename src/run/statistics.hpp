// SPDX-License-Identifier: BSD-3-Clause
//
// What plans did, counted by their kind, with MPIX_STATS=1. Otherwise a plan has no counters, and a
// Start and a completion cost a branch on that each.
#pragma once

#include "host/symbols.hpp"

#include <chrono>
#include <cstdint>
#include <string>

namespace mpix::run {

struct Counters {
    std::int64_t inits = 0;
    std::int64_t starts = 0;
    std::int64_t completions = 0;
    std::int64_t bytes = 0;       // sent
    std::int64_t nanoseconds = 0; // from Start to completion, of all that were completed
};

// Of the plans that have these three in common, on this rank. Made at the first; any thread.
Counters& counters_of(const std::string& operation, const std::string& solver,
                      const std::string& transport);

// Of one plan. Calls are ordered by whoever orders those of the plan, for all plans alike.
class Meter {
  public:
    // Counts the init. Each start sends `bytes`.
    void attach(Counters& counters, std::int64_t bytes) {
        counters_ = &counters;
        bytes_ = bytes;
        ++counters.inits;
    }
    void start() {
        if (counters_) [[unlikely]]
            count_start();
    }
    void complete() {
        if (counters_) [[unlikely]]
            count_completion();
    }

    // Done as soon as started.
    void pass() {
        if (counters_) [[unlikely]] {
            count_start();
            count_completion();
        }
    }

  private:
    void count_start();
    void count_completion();

    Counters* counters_ = nullptr;
    std::int64_t bytes_ = 0;
    std::chrono::steady_clock::time_point started_;
};

// All ranks of the communicator have MPIX_STATS=1.
void note_counting(MPI_Comm all);

// Brings the counters of all ranks together, and rank 0 prints them; that is collective over
// MPI_COMM_WORLD. Where its ranks have not told each other that all of them count, each that does
// prints its own. Does nothing without MPIX_STATS=1, and the second time.
void report_statistics();

} // namespace mpix::run
