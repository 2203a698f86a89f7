/* SPDX-License-Identifier: BSD-3-Clause
 * Plans of four kinds, whose inits, starts and bytes statistics.sh knows: broadcasts of 1 KiB from
 * rank 0, which is late once; barriers; an allreduce of rank 0 alone, on MPI_COMM_SELF; and an
 * allgather that is never started. With an argument it makes none. */
#define _DEFAULT_SOURCE /* usleep */
#include "mpix/mpix.h"

#include <unistd.h>

enum { late_us = 100000 };

static char told[2][1024], own, all[64];

static void run(int requests, MPI_Request request[], int times) {
    MPI_Status statuses[3];
    for (int i = 0; i < times; i++) {
        MPI_Startall(requests, request);
        MPI_Waitall(requests, request, statuses);
    }
}

int main(int argc, char** argv) {
    int rank, in = 1, out = 0;
    MPI_Request tell[2], barriers[3], alone, unused;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (argc > 1) return MPI_Finalize();
    for (int i = 0; i < 2; i++)
        MPI_Bcast_init(told[i], 1024, MPI_BYTE, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &tell[i]);
    for (int i = 0; i < 3; i++) MPI_Barrier_init(MPI_COMM_WORLD, MPI_INFO_NULL, &barriers[i]);
    MPI_Allgather_init(&own, 1, MPI_BYTE, all, 1, MPI_BYTE, MPI_COMM_WORLD, MPI_INFO_NULL, &unused);
    if (rank == 0) {
        MPI_Allreduce_init(&in, &out, 1, MPI_INT, MPI_SUM, MPI_COMM_SELF, MPI_INFO_NULL, &alone);
        run(1, &alone, 7);
        MPI_Request_free(&alone);
        MPI_Allreduce_init(&in, &out, 1, MPI_INT, MPI_SUM, MPI_COMM_SELF, MPI_INFO_NULL, &alone);
        run(1, &alone, 2);
    }
    run(3, barriers, 4);
    if (rank == 0) usleep(late_us);
    run(2, tell, 5);
    MPI_Finalize();
    return 0;
}
