// SPDX-License-Identifier: BSD-3-Clause
//
// One direction between two ranks, by the host's own functions or by mpix: persistent in one piece,
// or partitioned. All calls return an MPI error code.
#pragma once

#include "bench/common/functions.hpp"

#include <cstddef>

namespace mpix::bench {

enum class Form { whole, partitioned };

// What is sent or received, and with whom.
struct Traffic {
    double* buffer;
    std::size_t bytes; // of all partitions
    int partitions;
    int peer;
    int tag;
    bool sends;
};

class Channel {
  public:
    Channel(const Functions& by, Form form, const Traffic& traffic, MPI_Comm comm, MPI_Info info);
    ~Channel();
    Channel(const Channel&) = delete;
    Channel& operator=(const Channel&) = delete;

    bool made() const { return request_ != MPI_REQUEST_NULL; }
    int start() { return by_.start(&request_); }
    int mark(int partition) { return by_.pready(partition, request_); }
    int mark_one_by_one();
    int mark_range() { return by_.pready_range(0, partitions_ - 1, request_); }
    int wait() { return by_.wait(&request_, MPI_STATUS_IGNORE); }
    // Two of the same side.
    int wait_with(Channel& other);

  private:
    const Functions& by_;
    const int partitions_;
    MPI_Request request_ = MPI_REQUEST_NULL;
};

} // namespace mpix::bench
