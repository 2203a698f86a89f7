// SPDX-License-Identifier: BSD-3-Clause
//
// By how much the clocks of other nodes differ from that of one process, the keeper. The first
// process of each node asks the keeper a few times what time it is: the answer that came quickest
// is the best. Measured twice, they also tell how fast the clocks drift apart.
#pragma once

#include "host/symbols.hpp"

#include <cstdint>
#include <vector>

namespace mpix::comm {

// What the keeper's clock showed when this node's showed that, give or take `error` nanoseconds.
struct ClockReading {
    std::int64_t own = 0, keeper = 0, error = 0;
};

class Clocks {
  public:
    // Of the ranks of `comm`, one of which keeps the time. Collective, as all that follows. Throws
    // Failure, bad_alloc.
    Clocks(MPI_Comm comm, int keeper);

    // Plans move meanwhile. Throws Failure.
    ClockReading read() const;

  private:
    void answer() const;
    ClockReading ask() const;

    const MPI_Comm comm_;
    const int keeper_;
    int rank_ = 0;
    std::vector<int> firsts_; // by rank: the first one of its node
};

} // namespace mpix::comm
