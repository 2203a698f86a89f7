// SPDX-License-Identifier: BSD-3-Clause
// Requests of one rank that are started and completed together.
#pragma once

#include "completion.hpp"

namespace fuzz {

class Bundle {
  public:
    // Slots of operations, in an order in which the same operations stand on all ranks: what is
    // started after something else waits for one that stands before it, so that there is no
    // circle.
    void start(const std::vector<Slot*>& slots, Random random);
    void complete(Random random);

  private:
    MPI_Request request_ = MPI_REQUEST_NULL;
};

} // namespace fuzz
