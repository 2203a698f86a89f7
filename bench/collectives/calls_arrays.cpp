// SPDX-License-Identifier: BSD-3-Clause
//
// The forms that take arrays, called with equal blocks: they are raced on what the arrays
// themselves cost.
#include "bench/collectives/calls.hpp"

namespace mpix::bench::calls {

Calls gatherv(Host host, MPI_Comm comm, Data data) {
    return FAMILY(Gatherv, gatherv)
        .with(data.send, data.count, data.type, data.receive, data.counts, data.places, data.type,
              0, comm);
}

Calls scatterv(Host host, MPI_Comm comm, Data data) {
    return FAMILY(Scatterv, scatterv)
        .with(data.send, data.counts, data.places, data.type, data.receive, data.count, data.type,
              0, comm);
}

Calls allgatherv(Host host, MPI_Comm comm, Data data) {
    return FAMILY(Allgatherv, allgatherv)
        .with(data.send, data.count, data.type, data.receive, data.counts, data.places, data.type,
              comm);
}

Calls alltoallv(Host host, MPI_Comm comm, Data data) {
    return FAMILY(Alltoallv, alltoallv)
        .with(data.send, data.counts, data.places, data.type, data.receive, data.counts,
              data.places, data.type, comm);
}

Calls alltoallw(Host host, MPI_Comm comm, Data data) {
    return FAMILY(Alltoallw, alltoallw)
        .with(data.send, data.counts, data.byte_places, data.types, data.receive, data.counts,
              data.byte_places, data.types, comm);
}

Calls reduce_scatter(Host host, MPI_Comm comm, Data data) {
    return FAMILY(Reduce_scatter, reduce_scatter)
        .with(data.send, data.receive, data.counts, data.type, MPI_SUM, comm);
}

Calls neighbor_allgatherv(Host host, MPI_Comm comm, Data data) {
    return FAMILY(Neighbor_allgatherv, neighbor_allgatherv)
        .with(data.send, data.count, data.type, data.receive, data.counts, data.places, data.type,
              comm);
}

Calls neighbor_alltoallv(Host host, MPI_Comm comm, Data data) {
    return FAMILY(Neighbor_alltoallv, neighbor_alltoallv)
        .with(data.send, data.counts, data.places, data.type, data.receive, data.counts,
              data.places, data.type, comm);
}

Calls neighbor_alltoallw(Host host, MPI_Comm comm, Data data) {
    return FAMILY(Neighbor_alltoallw, neighbor_alltoallw)
        .with(data.send, data.counts, data.wide_places, data.types, data.receive, data.counts,
              data.wide_places, data.types, comm);
}

} // namespace mpix::bench::calls
