// SPDX-License-Identifier: BSD-3-Clause
//
// What most programs with persistent sends and receives wait for: an array of these and nothing
// else. One call of the host tells of all, where there is one that leaves those that failed alone.
#pragma once

#include "intercept/point_to_point.hpp"

#include <boost/container/small_vector.hpp>

namespace mpix::intercept {

class MessageArray {
  public:
    // Empty where something else is among them, or a message that is known to be complete. Statuses
    // are the program's, or are kept here where it ignores them.
    MessageArray(int count, MPI_Request requests[], MPI_Status statuses[]);

    explicit operator bool() const { return !records_.empty(); }

    // Asks the host once; true, and they are inactive, if none is active any more.
    bool poll();

    // Then: returns what the call has to, and calls the error handler.
    int finish() const;

  private:
    MPI_Request* const requests_;
    MPI_Status* statuses_;
    boost::container::small_vector<Record*, 32> records_;
    boost::container::small_vector<MPI_Status, 16> kept_;
};

} // namespace mpix::intercept
