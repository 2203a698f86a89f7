// SPDX-License-Identifier: BSD-3-Clause
//
// The table of counters, and when it is kept.
#include "progress/counters.hpp"

namespace mpix::progress {
namespace {

constinit std::atomic<unsigned> period{0};

} // namespace

AllCounters& all_counters() {
    static auto& all = *new AllCounters; // never destroyed: MPI calls may come late
    return all;
}

Counters& counters_of(const PlanKind& kind) {
    const std::lock_guard lock(all_counters().mutex);
    return all_counters().by_kind[kind];
}

void begin_counting() {
    const std::lock_guard lock(all_counters().mutex);
    if (!is_counting()) period.fetch_add(1, std::memory_order_relaxed);
    watchers.fetch_add(1, std::memory_order_relaxed);
}

void end_counting() { watchers.fetch_sub(1, std::memory_order_relaxed); }

unsigned counting_period() { return period.load(std::memory_order_relaxed); }

} // namespace mpix::progress
