/* SPDX-License-Identifier: BSD-3-Clause
 * On a graph the k-th edge to a process matches the k-th edge from it, also when blocks differ in
 * size. Reference: MPI 4.1, section 8.6; pmodels/mpich #7945. Bare hosts: fails on MPICH 4.0.2 and
 * 4.2.1 (alltoall, wrong block order, 1 rank and more), passes on Open MPI 4.1.4 and 5.0.7. */
#include "common.h"

int main(int argc, char** argv) {
    begin(&argc, &argv);
    int next = (rank + 1) % ranks, before = (rank + ranks - 1) % ranks;
    int to[3], from[3], out[3], in[3] = {-1, -1, -1};
    MPI_Comm graph;
    MPI_Request request;
    for (int k = 0; k < 3; k++) to[k] = next, from[k] = before, out[k] = 10 * rank + k;
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 3, from, MPI_UNWEIGHTED, 3, to, MPI_UNWEIGHTED,
                                   MPI_INFO_NULL, 0, &graph);
    MPI_Neighbor_alltoall_init(out, 1, MPI_INT, in, 1, MPI_INT, graph, MPI_INFO_NULL, &request);
    MPI_Start(&request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    for (int k = 0; k < 3; k++) expect(in[k] == 10 * before + k, "block of a repeated edge", in[k]);
    MPI_Request_free(&request);
    MPI_Comm_free(&graph);
    return finish();
}
