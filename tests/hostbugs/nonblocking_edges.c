/* SPDX-License-Identifier: BSD-3-Clause
 * As repeated_edges.c, with the nonblocking and the blocking alltoallw: a persistent collective
 * that is left to the host must not meet it. Reference: MPI 4.1, section 8.6; pmodels/mpich #5777,
 * #7945. Bare hosts: fails on MPICH 4.2.1 (receives in the reverse order, 1 rank and more), passes
 * on MPICH 4.0.2, Open MPI 4.1.4 and 5.0.7. */
#include "common.h"

enum { edges = 3 };

int main(int argc, char** argv) {
    begin(&argc, &argv);
    int next = (rank + 1) % ranks, before = (rank + ranks - 1) % ranks;
    int to[edges], from[edges], out[edges], in[edges], counts[edges];
    MPI_Aint places[edges];
    MPI_Datatype types[edges];
    MPI_Comm graph;
    MPI_Request request;
    for (int k = 0; k < edges; k++) {
        to[k] = next, from[k] = before, out[k] = 10 * rank + k;
        counts[k] = 1, places[k] = k * (MPI_Aint)sizeof(int), types[k] = MPI_INT;
    }
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, edges, from, MPI_UNWEIGHTED, edges, to,
                                   MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &graph);
    for (int blocks = 0; blocks < 2; blocks++) {
        for (int k = 0; k < edges; k++) in[k] = -1;
        if (blocks) {
            MPI_Neighbor_alltoallw(out, counts, places, types, in, counts, places, types, graph);
        } else {
            MPI_Ineighbor_alltoallw(out, counts, places, types, in, counts, places, types, graph,
                                    &request);
            MPI_Wait(&request, MPI_STATUS_IGNORE);
        }
        for (int k = 0; k < edges; k++)
            expect(in[k] == 10 * before + k, blocks ? "blocking" : "nonblocking", in[k]);
    }
    MPI_Comm_free(&graph);
    return finish();
}
