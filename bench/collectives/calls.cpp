// SPDX-License-Identifier: BSD-3-Clause
#include "bench/collectives/calls.hpp"

namespace mpix::bench::calls {

Calls barrier(Host host, MPI_Comm comm, Data) { return FAMILY(Barrier, barrier).with(comm); }

Calls bcast(Host host, MPI_Comm comm, Data data) {
    return FAMILY(Bcast, bcast).with(data.send, data.count, data.type, 0, comm);
}

Calls gather(Host host, MPI_Comm comm, Data data) {
    return FAMILY(Gather, gather)
        .with(data.send, data.count, data.type, data.receive, data.count, data.type, 0, comm);
}

Calls scatter(Host host, MPI_Comm comm, Data data) {
    return FAMILY(Scatter, scatter)
        .with(data.send, data.count, data.type, data.receive, data.count, data.type, 0, comm);
}

Calls allgather(Host host, MPI_Comm comm, Data data) {
    return FAMILY(Allgather, allgather)
        .with(data.send, data.count, data.type, data.receive, data.count, data.type, comm);
}

Calls alltoall(Host host, MPI_Comm comm, Data data) {
    return FAMILY(Alltoall, alltoall)
        .with(data.send, data.count, data.type, data.receive, data.count, data.type, comm);
}

Calls reduce(Host host, MPI_Comm comm, Data data) {
    return FAMILY(Reduce, reduce)
        .with(data.send, data.receive, data.count, data.type, MPI_SUM, 0, comm);
}

Calls allreduce(Host host, MPI_Comm comm, Data data) {
    return FAMILY(Allreduce, allreduce)
        .with(data.send, data.receive, data.count, data.type, MPI_SUM, comm);
}

Calls reduce_scatter_block(Host host, MPI_Comm comm, Data data) {
    return FAMILY(Reduce_scatter_block, reduce_scatter_block)
        .with(data.send, data.receive, data.count, data.type, MPI_SUM, comm);
}

Calls scan(Host host, MPI_Comm comm, Data data) {
    return FAMILY(Scan, scan).with(data.send, data.receive, data.count, data.type, MPI_SUM, comm);
}

Calls exscan(Host host, MPI_Comm comm, Data data) {
    return FAMILY(Exscan, exscan)
        .with(data.send, data.receive, data.count, data.type, MPI_SUM, comm);
}

Calls neighbor_allgather(Host host, MPI_Comm comm, Data data) {
    return FAMILY(Neighbor_allgather, neighbor_allgather)
        .with(data.send, data.count, data.type, data.receive, data.count, data.type, comm);
}

Calls neighbor_alltoall(Host host, MPI_Comm comm, Data data) {
    return FAMILY(Neighbor_alltoall, neighbor_alltoall)
        .with(data.send, data.count, data.type, data.receive, data.count, data.type, comm);
}

} // namespace mpix::bench::calls
