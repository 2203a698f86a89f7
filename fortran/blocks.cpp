// SPDX-License-Identifier: BSD-3-Clause
//
// How many blocks a collective has whose blocks have a datatype each: so many handles are read.
#include "calls.hpp"

namespace mpix::fortran {

int ranks(MPI_Comm comm) {
    if (comm == MPI_COMM_NULL) return 0; // which the call itself rejects
    int is_inter = 0, size = 0;
    MPI_Comm_test_inter(comm, &is_inter);
    is_inter ? MPI_Comm_remote_size(comm, &size) : MPI_Comm_size(comm, &size);
    return size;
}

int ranks(MPI_Comm comm, int root) {
    if (comm == MPI_COMM_NULL) return 0;
    int rank = 0;
    MPI_Comm_rank(comm, &rank);
    return rank == root ? ranks(comm) : 0;
}

namespace {

struct Degrees {
    int sources = 0;
    int destinations = 0;
};

Degrees degrees(MPI_Comm comm) {
    Degrees found;
    int topology = MPI_UNDEFINED, weighted = 0, rank = 0;
    if (comm == MPI_COMM_NULL) return found;
    MPI_Topo_test(comm, &topology);
    if (topology == MPI_DIST_GRAPH) {
        MPI_Dist_graph_neighbors_count(comm, &found.sources, &found.destinations, &weighted);
        return found;
    }
    int neighbors = 0;
    if (topology == MPI_CART) {
        MPI_Cartdim_get(comm, &neighbors);
        neighbors *= 2;
    } else if (topology == MPI_GRAPH) {
        MPI_Comm_rank(comm, &rank);
        MPI_Graph_neighbors_count(comm, rank, &neighbors);
    }
    return {neighbors, neighbors};
}

} // namespace

int sources(MPI_Comm comm) { return degrees(comm).sources; }
int destinations(MPI_Comm comm) { return degrees(comm).destinations; }

} // namespace mpix::fortran
