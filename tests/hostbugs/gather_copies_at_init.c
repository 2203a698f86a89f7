/* SPDX-License-Identifier: BSD-3-Clause
 * Gather_init must read the send buffer at Start; MPICH copies it at the initialisation. Reference:
 * MPI 4.1, section 6.13; pmodels/mpich #7078. Bare hosts: fails on MPICH 4.0.2 and 4.2.1 (wrong
 * data, 1 rank and more), passes on Open MPI 4.1.4 and 5.0.7. */
#include "common.h"

int main(int argc, char** argv) {
    begin(&argc, &argv);
    int mine = -1, *all = calloc((size_t)ranks, sizeof(int));
    MPI_Request request;
    MPI_Gather_init(&mine, 1, MPI_INT, all, 1, MPI_INT, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
    for (int round = 0; round < 3; round++) {
        mine = 100 * round + rank;
        MPI_Start(&request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        for (int r = 0; rank == 0 && r < ranks; r++)
            expect(all[r] == 100 * round + r, "stale data gathered", all[r]);
    }
    MPI_Request_free(&request);
    free(all);
    return finish();
}
