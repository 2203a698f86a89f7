// SPDX-License-Identifier: BSD-3-Clause
//
// Counts the rounds of one operation, which has one while somebody wants to know. Calls are ordered
// by whoever orders those of the operation, for all operations alike.
#pragma once

#include "progress/counters.hpp"

#include <chrono>

namespace mpix::progress {

class Meter {
  public:
    // What it has counted before its kind was known goes there too. Each start sends `bytes`.
    void attach(Counters& kind, std::int64_t bytes);
    bool is_attached() const { return counters_ != &early_; }

    void init() { add(counters_->inits, 1); }
    void start();
    // Of a round whose Start was counted.
    void complete();

  private:
    Counters early_;
    Counters* counters_ = &early_;
    std::int64_t bytes_ = 0;
    std::chrono::steady_clock::time_point started_;
    unsigned period_ = 0; // that of the latest start
    int running_ = 0;     // started in it, and not complete
};

} // namespace mpix::progress
