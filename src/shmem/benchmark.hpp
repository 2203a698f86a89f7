// SPDX-License-Identifier: BSD-3-Clause
//
// What messages within this node cost: two processes measure it on a benchmark, a place in the
// segment of the one that leads. A fraction of a millisecond.
#pragma once

#include "shmem/queue.hpp"

namespace mpix::shmem {

// Microseconds, of a message of so many bytes.
struct Cost {
    double fixed = 0;
    double per_byte = 0;

    double of(std::uint64_t bytes) const { return fixed + static_cast<double>(bytes) * per_byte; }
};

// Of processes that share more than a node; 0: not measured.
struct NearCosts {
    double latency = 0;
    double per_byte = 0;
};

// The defaults are good guesses.
struct Costs {
    bool is_crowded() const { return ranks_per_core > 1; }

    bool is_measured = false;
    double ranks_per_core = 1; // above 1 they take turns
    double latency = 0.15;     // of a number, from one process to another
    // Beside that, by the way of the message: staged through the caches, or past them, or read by
    // the kernel, or loaded where it stands, which makes the writing of the next one slow.
    Cost cached{0, 1.0 / 9000};
    Cost streamed{0.3, 1.0 / 12000};
    Cost read{1.5, 1.0 / 8000};
    Cost mapped{0.2, 1.0 / 12000};
    double copy = 1.0 / 10000;  // a byte, within a process
    double reduce = 1.0 / 5000; // combining a byte
    // All that is the farthest pair's that has been measured. Of each:
    NearCosts node = {}, socket = {}, cache = {};
};

class alignas(cache_line) Benchmark {
  public:
    // Null if there is no room in this process's segment. Never freed.
    static Benchmark* make();

    // The first of the numbers of the next runs, which come before any others. Both sides must be
    // told the same.
    static constexpr std::uint64_t runs_at_once = 3;
    std::uint64_t next_runs();

    // Both return soon even if the other never comes; then there is nothing measured.
    Costs lead(std::uint64_t run);
    // `base` is where the leader's segment is in this process, `leader` the number of that.
    // Without `may_read` the kernel is not asked for the leader's memory. So many others may come
    // before it.
    void follow(std::uint64_t run, std::byte* base, std::int64_t leader, bool may_read,
                int runs_before = 0);

  private:
    enum { cached, streamed, mapped, read_little, read_much, ways };

    bool serve(std::uint64_t number);
    bool time_trips(std::uint64_t number, double& trip);
    struct Time;
    bool time_way(const Design& design, std::uint64_t number, std::byte* data, Time& time);

    // Release and acquire: whoever sees a number sees what was written before it.
    alignas(cache_line) Number served_{0};
    alignas(cache_line) Number answered_{0};
    Design designs_[ways]{};              // of the messages
    std::atomic<bool> is_refused_{false}; // the kernel does not read; relaxed: told by an answer
    std::uint64_t runs_ = 0;              // of the leader alone
};

} // namespace mpix::shmem
