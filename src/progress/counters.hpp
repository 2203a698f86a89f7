// SPDX-License-Identifier: BSD-3-Clause
//
// What plans did, counted by their kind while somebody wants to know: MPIX_STATS=1, or a tool that
// has started performance variables.
#pragma once

#include <array>
#include <atomic>
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

// Adds to one of them, for one thread at a time. Others may look meanwhile: relaxed, as each of
// them is a number of its own.
inline void add(std::int64_t& counter, std::int64_t more) {
    const std::atomic_ref<std::int64_t> shared(counter);
    shared.store(shared.load(std::memory_order_relaxed) + more, std::memory_order_relaxed);
}
inline std::int64_t look(std::int64_t& counter) {
    return std::atomic_ref<std::int64_t>(counter).load(std::memory_order_relaxed);
}
inline Counters look(Counters& counters) {
    return {look(counters.inits), look(counters.starts), look(counters.completions),
            look(counters.bytes), look(counters.nanoseconds)};
}

// Whether anybody counts; who does is a watcher too. Relaxed, as that.
bool is_counting();
// Any thread; each beginning has its end.
void begin_counting();
void end_counting();
// Another number whenever counting begins after it had ended.
unsigned counting_period();

// "Allreduce" of MPI_Allreduce_init, "Pallreduce" of MPIX_Pallreduce_init.
std::string name_of_calls(const char* init);

// Operation, solver, transport.
using PlanKind = std::array<std::string, 3>;

// All of this rank.
struct AllCounters {
    std::mutex mutex;
    std::map<PlanKind, Counters> by_kind; // an entry never moves
};
AllCounters& all_counters();

// Of the plans of one kind. Made at the first; any thread.
Counters& counters_of(const PlanKind& kind);

} // namespace mpix::progress
