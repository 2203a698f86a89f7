// SPDX-License-Identifier: BSD-3-Clause
//
// One direction between two ranks, by the host's own functions or by mpix: persistent in one piece,
// or partitioned. All calls return an MPI error code.
#pragma once

#include "bench/common/host_library.hpp"

#include <cstddef>

namespace mpix::bench {

// The host's own, null where it has none, or the linked names, which are mpix.
struct Functions {
    decltype(MPI_Start)* start;
    decltype(MPI_Wait)* wait;
    decltype(MPI_Waitall)* waitall;
    decltype(MPI_Test)* test;
    decltype(MPI_Request_free)* free;
    decltype(MPI_Send_init)* send_init;
    decltype(MPI_Recv_init)* recv_init;
    decltype(MPI_Psend_init)* psend_init;
    decltype(MPI_Precv_init)* precv_init;
    decltype(MPI_Pready)* pready;
    decltype(MPI_Pready_range)* pready_range;

    bool has_partitions() const { return psend_init && precv_init && pready && pready_range; }
};

Functions functions_of(const HostLibrary& host);
const Functions& linked_functions();

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
