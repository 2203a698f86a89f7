// SPDX-License-Identifier: BSD-3-Clause
//
// The functions of MPI that benches race: the host's own, or the linked ones, which are mpix.
#pragma once

#include "bench/common/host_library.hpp"

namespace mpix::bench {

// The host's own, null where it has none, or the linked names, which are mpix.
struct Functions {
    decltype(MPI_Irecv)* irecv;
    decltype(MPI_Isend)* isend;
    decltype(MPI_Start)* start;
    decltype(MPI_Startall)* startall;
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

} // namespace mpix::bench
