// SPDX-License-Identifier: BSD-3-Clause
//
// How each operation is called: a function each, that binds its arguments once for the host's
// blocking, nonblocking and persistent form and for the init of mpix.
#pragma once

#include "bench/collectives/operations.hpp"

namespace mpix::bench::calls {

using Host = const HostLibrary&;
using Data = const Buffers&;

Calls barrier(Host host, MPI_Comm comm, Data data);
Calls bcast(Host host, MPI_Comm comm, Data data);
Calls gather(Host host, MPI_Comm comm, Data data);
Calls scatter(Host host, MPI_Comm comm, Data data);
Calls allgather(Host host, MPI_Comm comm, Data data);
Calls alltoall(Host host, MPI_Comm comm, Data data);
Calls reduce(Host host, MPI_Comm comm, Data data);
Calls allreduce(Host host, MPI_Comm comm, Data data);
Calls reduce_scatter_block(Host host, MPI_Comm comm, Data data);
Calls scan(Host host, MPI_Comm comm, Data data);
Calls exscan(Host host, MPI_Comm comm, Data data);
Calls neighbor_allgather(Host host, MPI_Comm comm, Data data);
Calls neighbor_alltoall(Host host, MPI_Comm comm, Data data);

// With arrays of counts, displacements or types.
Calls gatherv(Host host, MPI_Comm comm, Data data);
Calls scatterv(Host host, MPI_Comm comm, Data data);
Calls allgatherv(Host host, MPI_Comm comm, Data data);
Calls alltoallv(Host host, MPI_Comm comm, Data data);
Calls alltoallw(Host host, MPI_Comm comm, Data data);
Calls reduce_scatter(Host host, MPI_Comm comm, Data data);
Calls neighbor_allgatherv(Host host, MPI_Comm comm, Data data);
Calls neighbor_alltoallv(Host host, MPI_Comm comm, Data data);
Calls neighbor_alltoallw(Host host, MPI_Comm comm, Data data);

// One collective's functions. All take the same arguments and then a request or none.
template<class Blocking, class Nonblocking, class Init>
struct Family {
    Blocking* blocking;
    Nonblocking* nonblocking;
    Init* host_init;
    Init* mpix_init;
    Blocking* mpix_plain;
    Nonblocking* mpix_nonblocking;

    template<class... Arguments>
    Calls with(Arguments... arguments) const {
        Calls calls;
        calls.blocking = [=, call = blocking] { return call(arguments...); };
        calls.nonblocking = [=, call = nonblocking](MPI_Request* request) {
            return call(arguments..., request);
        };
        if (host_init)
            calls.host_init = [=, call = host_init](MPI_Request* request) {
                return call(arguments..., MPI_INFO_NULL, request);
            };
        calls.mpix_init = [=, call = mpix_init](MPI_Info info, MPI_Request* request) {
            return call(arguments..., info, request);
        };
        calls.mpix_plain = [=, call = mpix_plain] { return call(arguments...); };
        calls.mpix_nonblocking = [=, call = mpix_nonblocking](MPI_Request* request) {
            return call(arguments..., request);
        };
        return calls;
    }
};

// FAMILY(Bcast, bcast): the host's PMPI_Bcast, PMPI_Ibcast, PMPI_Bcast_init and our MPI_Bcast_init,
// MPI_Bcast and MPI_Ibcast.
#define FAMILY(name, lower)                                                                        \
    (Family<decltype(MPI_##name), decltype(MPI_I##lower), decltype(MPI_##name##_init)>{            \
        host.find<decltype(MPI_##name)>(#name), host.find<decltype(MPI_I##lower)>("I" #lower),     \
        host.find<decltype(MPI_##name##_init)>(#name "_init"), &MPI_##name##_init, &MPI_##name,    \
        &MPI_I##lower})

} // namespace mpix::bench::calls
