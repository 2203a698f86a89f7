/* SPDX-License-Identifier: BSD-3-Clause
 * Block order of a persistent neighbour alltoall on a grid with two periodic dimensions of one
 * process: block s arrives in block s ^ 1, in each dimension. Reference: MPI 4.1, section 8.6;
 * pmodels/mpich #5777, #7945, open-mpi/ompi #14416. Bare hosts: fails on MPICH 4.0.2 and 4.2.1
 * (receives in the reverse order: dimensions are mixed up), Open MPI 4.1.4 and 5.0.7 (1 rank and
 * more). */
#include "common.h"

int main(int argc, char** argv) {
    begin(&argc, &argv);
    int dims[3] = {ranks, 1, 1}, periods[3] = {0, 1, 1}, out[6], in[6];
    MPI_Comm grid;
    MPI_Request request;
    MPI_Cart_create(MPI_COMM_WORLD, 3, dims, periods, 0, &grid);
    for (int s = 0; s < 6; s++) out[s] = 10 * rank + s, in[s] = -1;
    MPI_Neighbor_alltoall_init(out, 1, MPI_INT, in, 1, MPI_INT, grid, MPI_INFO_NULL, &request);
    MPI_Start(&request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    for (int s = 2; s < 6; s++) expect(in[s] == 10 * rank + (s ^ 1), "block of oneself", in[s]);
    expect(in[0] == (rank > 0 ? 10 * (rank - 1) + 1 : -1), "block from the left", in[0]);
    expect(in[1] == (rank < ranks - 1 ? 10 * (rank + 1) : -1), "block from the right", in[1]);
    MPI_Request_free(&request);
    MPI_Comm_free(&grid);
    return finish();
}
