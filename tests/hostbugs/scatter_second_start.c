/* SPDX-License-Identifier: BSD-3-Clause
 * Scatter_init must work at every Start. Reference: MPI 4.1, section 6.13; pmodels/mpich PR #7550.
 * Bare hosts: fails on MPICH 4.0.2 and 4.2.1 (2 ranks: wrong from the second Start; 3 and 4 ranks:
 * aborts), passes on Open MPI 4.1.4 and 5.0.7. */
#include "common.h"

int main(int argc, char** argv) {
    begin(&argc, &argv);
    int mine = -1, *all = calloc((size_t)ranks, sizeof(int));
    MPI_Request request;
    MPI_Scatter_init(all, 1, MPI_INT, &mine, 1, MPI_INT, 0, MPI_COMM_WORLD, MPI_INFO_NULL,
                     &request);
    for (int round = 0; round < 3; round++) {
        for (int r = 0; r < ranks; r++) all[r] = rank == 0 ? 100 * round + r : -1;
        mine = -1;
        MPI_Start(&request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        expect(mine == 100 * round + rank, "wrong data scattered", mine);
    }
    MPI_Request_free(&request);
    free(all);
    return finish();
}
