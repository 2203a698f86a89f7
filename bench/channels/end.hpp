// SPDX-License-Identifier: BSD-3-Clause
//
// A send and a receive with one other rank, as channels of mpix.
#pragma once

#include "bench/common/host_library.hpp"

#include <cstddef>

namespace mpix::bench {

// What is sent and received, and with whom.
struct Exchanged {
    void* out;
    void* in;
    int bytes;
    int peer;
    int tag;
};

class ChannelEnds {
  public:
    // Collective over the two. Consecutive starts use consecutive blocks of the buffers.
    ChannelEnds(const Exchanged& what, int slackness, MPI_Comm comm, MPI_Info info);
    ~ChannelEnds();
    ChannelEnds(const ChannelEnds&) = delete;
    ChannelEnds& operator=(const ChannelEnds&) = delete;

    bool made() const { return made_; }
    MPI_Request* send() { return &out_[0]; }
    MPI_Request* receive() { return &out_[1]; }
    MPI_Request* both() { return out_; }

  private:
    MPI_Request in_[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
    MPI_Request out_[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
    bool made_ = false;
};

} // namespace mpix::bench
