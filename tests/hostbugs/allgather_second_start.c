/* SPDX-License-Identifier: BSD-3-Clause
 * Allgather_init on a power of two of ranks must send new data at each Start. Reference: MPI 4.1,
 * section 6.13; pmodels/mpich #6423. Bare hosts: fails on MPICH 4.0.2 (wrong data from the second
 * Start, 2 and 4 ranks), passes on MPICH 4.2.1, Open MPI 4.1.4 and 5.0.7. */
#include "common.h"

int main(int argc, char** argv) {
    begin(&argc, &argv);
    int mine = -1, *all = calloc((size_t)ranks, sizeof(int));
    MPI_Request request;
    MPI_Allgather_init(&mine, 1, MPI_INT, all, 1, MPI_INT, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
    for (int round = 0; round < 3; round++) {
        mine = 100 * round + rank;
        MPI_Start(&request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        for (int r = 0; r < ranks; r++) expect(all[r] == 100 * round + r, "stale data", all[r]);
    }
    MPI_Request_free(&request);
    free(all);
    return finish();
}
