// SPDX-License-Identifier: BSD-3-Clause
//
// What this machine can do at best, without any MPI: nothing that moves data between two ranks can
// be quicker. Measured in the same run as what is held against it.
#pragma once

#include "bench/common/ranks.hpp"

#include <array>
#include <cstddef>
#include <optional>
#include <string>

namespace mpix::bench {

// The least of many trials, in nanoseconds; none without a second rank on rank 0's node.
struct Copies {
    std::size_t bytes;
    double own;                  // within a rank, from cache
    std::optional<double> fresh; // what the other rank has just written in shared memory
    std::optional<double> cma;   // what it has just written in memory of its own: process_vm_readv
};

struct Floors {
    double clock = 0;                     // reading it twice, which is taken off every time here
    double yield = 0;                     // sched_yield with nobody waiting
    std::optional<double> half_roundtrip; // of a cache line
    std::string cma;                      // "allowed", or why not
    std::array<Copies, 4> copies{{{8, 0, {}, {}},
                                  {std::size_t{4} << 10, 0, {}, {}},
                                  {std::size_t{64} << 10, 0, {}, {}},
                                  {std::size_t{1} << 20, 0, {}, {}}}};
};

// Collective; of use on rank 0 alone. The ranks that do not measure sleep.
Floors measure_floors(const HostLibrary& host, const Ranks& ranks);

} // namespace mpix::bench
