// SPDX-License-Identifier: BSD-3-Clause
//
// Threads that mark partitions of one request together, a share of neighbours each.
#pragma once

#include "bench/common/direction.hpp"
#include "bench/common/timing.hpp"

#include <atomic>
#include <barrier>
#include <thread>
#include <vector>

namespace mpix::bench {

// Of this thread, nanoseconds; and what two readings add to what lies between them.
double processor_time();
double processor_clock_cost();

class Markers {
  public:
    Markers(int threads, int partitions, Channel& channel);
    ~Markers();
    Markers(const Markers&) = delete;
    Markers& operator=(const Markers&) = delete;

    // Marks all. Nanoseconds until that is done.
    double round();
    // Of all threads, since the beginning.
    double processor_time_spent() const { return spent_; }
    int code() const { return code_; }

  private:
    void serve(int first, int end);

    Channel& channel_;
    std::barrier<> gate_;
    bool ends_ = false; // written before the gate
    std::atomic<double> spent_{0};
    std::atomic<int> code_{MPI_SUCCESS};
    std::vector<std::thread> threads_;
};

} // namespace mpix::bench
