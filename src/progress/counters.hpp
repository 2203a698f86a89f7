// SPDX-License-Identifier: BSD-3-Clause
//
// What plans did, counted by their kind, with MPIX_STATS=1. Otherwise a plan has no counters, and a
// Start and a completion cost a branch on that each.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>

namespace mpix::progress {

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

// Operation, solver, transport.
using PlanKind = std::array<std::string, 3>;

// All of this rank.
struct AllCounters {
    std::mutex mutex;
    std::map<PlanKind, Counters> by_kind; // an entry never moves
};
AllCounters& all_counters();

} // namespace mpix::progress
