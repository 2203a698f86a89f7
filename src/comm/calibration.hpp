// SPDX-License-Identifier: BSD-3-Clause
//
// One measuring of what messages within the node cost: to the nearest rank on another socket, at
// another cache, at the same one. What a process once knows it measures no more.
#pragma once

#include "plan/nodes.hpp"
#include "shmem/benchmark.hpp"

namespace mpix::comm {

class Calibration {
  public:
    // Takes the benchmark of this process if `leads`, and there is anything to measure.
    explicit Calibration(bool leads);
    ~Calibration();
    Calibration(const Calibration&) = delete;
    Calibration& operator=(const Calibration&) = delete;

    shmem::Benchmark* benchmark() const { return benchmark_; } // null: nothing is measured
    std::uint64_t run() const { return run_; } // the first of as many as there are localities
    // Adds what it finds out.
    void lead(plan::Locality locality, std::uint64_t run) const;

    static shmem::Costs known();
    static bool knows(plan::Locality locality);
    static void learn(const shmem::Costs& costs);
    // Says it once, where plans are printed.
    static void tell(const shmem::Costs& costs);

  private:
    shmem::Benchmark* benchmark_ = nullptr;
    std::uint64_t run_ = 0;
};

} // namespace mpix::comm
