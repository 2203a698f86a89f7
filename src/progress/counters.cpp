// SPDX-License-Identifier: BSD-3-Clause
//
// The table of counters, and when it is kept.
#include "progress/counters.hpp"

#include "progress/watchers.hpp"

namespace mpix::progress {
namespace {

constinit std::atomic<int> counting{0};
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

bool is_counting() { return counting.load(std::memory_order_relaxed) != 0; }

void begin_counting() {
    const std::lock_guard lock(all_counters().mutex);
    if (!is_counting()) period.fetch_add(1, std::memory_order_relaxed);
    counting.fetch_add(1, std::memory_order_relaxed);
    watchers.fetch_add(1, std::memory_order_relaxed);
}

void end_counting() {
    watchers.fetch_sub(1, std::memory_order_relaxed);
    counting.fetch_sub(1, std::memory_order_relaxed);
}

unsigned counting_period() { return period.load(std::memory_order_relaxed); }

std::string name_of_calls(const char* init) {
    const std::string name = init;
    const std::size_t begin = name.find('_') + 1;
    return name.substr(begin, name.rfind('_') - begin);
}

} // namespace mpix::progress
