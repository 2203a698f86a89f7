// SPDX-License-Identifier: BSD-3-Clause
//
// What messages within this node cost, for the planner: two processes measure it on a course, a
// place in the segment of the one that leads. A tenth of a millisecond.
#pragma once

#include "node/edge.hpp"

namespace mpix::node {

// Microseconds; 0 where it is not known.
struct Costs {
    double latency = 0;  // of a message from one process to another
    double per_byte = 0; // of a long one
    double copy = 0;     // a byte, within a process
    double reduce = 0;   // combining a byte

    bool has_messages() const { return latency > 0; }
};

// Measured at the first call. Powers of two: runs on one machine then mostly choose alike.
const Costs& costs_alone();

class alignas(cache_line) Course {
  public:
    // The number of the next run. Both sides must be told the same.
    std::uint64_t next_run() { return ++runs_; }

    // Both return soon even if the other never comes; then there is nothing measured.
    Costs lead(std::uint64_t run);
    void follow(std::uint64_t run);

  private:
    static constexpr std::size_t bytes = 16 << 10;

    bool serve(std::uint64_t number);

    // Release and acquire: whoever sees a number sees what was written before it.
    alignas(cache_line) Number served_{0};
    alignas(cache_line) Number answered_{0};
    alignas(cache_line) std::byte data_[bytes];
    std::uint64_t runs_ = 0; // of the leader alone
};

} // namespace mpix::node
