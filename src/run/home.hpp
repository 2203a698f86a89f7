// SPDX-License-Identifier: BSD-3-Clause
//
// The communicator that an operation was made on, as long as the program has it: there its errors
// are raised.
#pragma once

#include "host/symbols.hpp"

namespace mpix::run {

class Home {
  public:
    explicit Home(MPI_Comm comm) : comm_(comm) {}
    MPI_Comm errors_to() const { return comm_ == MPI_COMM_NULL ? MPI_COMM_WORLD : comm_; }
    void forget_comm() { comm_ = MPI_COMM_NULL; }

  private:
    MPI_Comm comm_;
};

} // namespace mpix::run
