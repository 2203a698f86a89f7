/* SPDX-License-Identifier: BSD-3-Clause
 * A large persistent alltoallv in place, with one pair of ranks that exchange nothing. Reference:
 * MPI 4.1, section 6.8 (in place). Bare hosts: fails on Open MPI 4.1.4 and 5.0.7 (4 ranks, wrong
 * data; its MPI_Ialltoallv and MPI_Ialltoallw too, the blocking ones are right), passes on MPICH
 * 4.0.2 and 4.2.1. */
#include "common.h"

int main(int argc, char** argv) {
    begin(&argc, &argv);
    int counts[64], displs[64], total = 0;
    for (int r = ranks - 1; r >= 0; r--) {
        counts[r] = (rank + r) % 5 == 3 ? 0 : 50000 + rank + r;
        displs[r] = total;
        total += counts[r];
    }
    int* data = calloc((size_t)total + 1, sizeof(int));
    MPI_Request request;
    MPI_Alltoallv_init(MPI_IN_PLACE, NULL, NULL, MPI_INT, data, counts, displs, MPI_INT,
                       MPI_COMM_WORLD, MPI_INFO_NULL, &request);
    for (int round = 0; round < 2; round++) {
        for (int r = 0; r < ranks; r++)
            for (int i = 0; i < counts[r]; i++)
                data[displs[r] + i] = 1000 * rank + 100 * r + (i + round) % 100;
        MPI_Start(&request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        for (int r = 0; r < ranks; r++)
            for (int i = 0; i < counts[r]; i++)
                expect(data[displs[r] + i] == 1000 * r + 100 * rank + (i + round) % 100, "element",
                       data[displs[r] + i]);
    }
    MPI_Request_free(&request);
    free(data);
    return finish();
}
