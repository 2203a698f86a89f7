// SPDX-License-Identifier: BSD-3-Clause
//
// Counting.
#include "progress/counters.hpp"

namespace mpix::progress {

AllCounters& all_counters() {
    static auto& all = *new AllCounters; // never destroyed: MPI calls may come late
    return all;
}

Counters& counters_of(const std::string& operation, const std::string& solver,
                      const std::string& transport) {
    const std::lock_guard lock(all_counters().mutex);
    return all_counters().by_kind[{operation, solver, transport}];
}

void Meter::count_start() {
    ++counters_->starts;
    counters_->bytes += bytes_;
    started_ = std::chrono::steady_clock::now();
}

void Meter::count_completion() {
    const auto passed = std::chrono::steady_clock::now() - started_;
    ++counters_->completions;
    counters_->nanoseconds += std::chrono::nanoseconds(passed).count();
}

} // namespace mpix::progress
