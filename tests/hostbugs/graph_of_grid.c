/* SPDX-License-Identifier: BSD-3-Clause
 * A persistent neighbour alltoall on a distributed graph that was made of a Cartesian communicator.
 * Reference: MPI 4.1, section 8.5.4; open-mpi/ompi #14438, PR #14420. Bare hosts: fails on Open MPI
 * 5.0.7 (an error or a crash, 1 rank and more; MPI_Topo_test says MPI_CART, with the library too),
 * passes on Open MPI 4.1.4, MPICH 4.0.2 and 4.2.1. */
#include "common.h"

int main(int argc, char** argv) {
    begin(&argc, &argv);
    int dims[1] = {ranks}, periods[1] = {1}, out, in;
    int next = (rank + 1) % ranks, before = (rank + ranks - 1) % ranks;
    MPI_Comm ring, graph;
    MPI_Request request;
    MPI_Cart_create(MPI_COMM_WORLD, 1, dims, periods, 0, &ring);
    MPI_Dist_graph_create_adjacent(ring, 1, &before, MPI_UNWEIGHTED, 1, &next, MPI_UNWEIGHTED,
                                   MPI_INFO_NULL, 0, &graph);
    MPI_Neighbor_alltoall_init(&out, 1, MPI_INT, &in, 1, MPI_INT, graph, MPI_INFO_NULL, &request);
    for (int round = 0; round < 2; round++) {
        out = 10 * rank + round;
        MPI_Start(&request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        expect(in == 10 * before + round, "what arrived", in);
    }
    MPI_Request_free(&request);
    MPI_Comm_free(&graph);
    MPI_Comm_free(&ring);
    return finish();
}
