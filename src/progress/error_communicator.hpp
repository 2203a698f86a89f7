// SPDX-License-Identifier: BSD-3-Clause
//
// The communicator that an operation was made on, as long as the program has it: there its errors
// are raised.
#pragma once

#include "host/symbols.hpp"

#include <atomic>

namespace mpix::progress {

class ErrorCommunicator {
  public:
    explicit ErrorCommunicator(MPI_Comm comm) : comm_(comm) {}
    MPI_Comm errors_to() const {
        const MPI_Comm comm = comm_;
        return comm == MPI_COMM_NULL ? MPI_COMM_WORLD : comm;
    }
    void forget_comm() { comm_ = MPI_COMM_NULL; }

  protected:
    std::atomic<MPI_Comm> comm_; // sequentially consistent: not on any hot path
};

} // namespace mpix::progress
