// SPDX-License-Identifier: BSD-3-Clause
// What the ends of one channel on this rank are made of: the sender's is the first.
#pragma once

#include "completion.hpp"
#include "program.hpp"
#include "report.hpp"

namespace fuzz {

class Ends {
  public:
    // Makes channels of the requests that stand in `slots` unless they are channels. The base
    // address of each moves by so many elements from start to start.
    void bind(const Message& message, const long increments[2], Slot* slots);
    void unbind(Slot* slots, bool waits);
    void free(); // the requests

  private:
    MPI_Request requests_[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
};

} // namespace fuzz
