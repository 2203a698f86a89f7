// SPDX-License-Identifier: BSD-3-Clause
//
// Ready receivers: each process tells those that write into its buffers that it has started, and
// waits for those that it writes to. Empty messages, on a tag beside those of the plan.
#pragma once

#include "progress/operation.hpp"

#include <vector>

namespace mpix::pready {

class Preparation {
  public:
    // Of an active operation; waits until it has a plan.
    void begin(const progress::Operation& operation);
    // Returns when all are ready, with the host's error code.
    int finish();

  private:
    std::vector<MPI_Request> requests_;
};

} // namespace mpix::pready
