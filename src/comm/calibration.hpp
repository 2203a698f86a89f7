// SPDX-License-Identifier: BSD-3-Clause
//
// One measuring of what messages within the node cost. A process that once knows them measures no
// more.
#pragma once

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
    std::uint64_t run() const { return run_; }
    shmem::Costs lead() const { return benchmark_->lead(run_); }

    static shmem::Costs known();
    static void learn(const shmem::Costs& costs);
    // Says it once, where plans are printed.
    static void tell(const shmem::Costs& costs);

  private:
    shmem::Benchmark* benchmark_ = nullptr;
    std::uint64_t run_ = 0;
};

} // namespace mpix::comm
