/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Partitioned sends and receives that are made and freed without a start. What the ends tell each
 * other then is told when nobody listens: one process makes all of its own before the others begin,
 * and comes to MPI_Finalize when they are done. Each has to end. */
#define _DEFAULT_SOURCE /* usleep */
#include "mpix/mpix.h"

#include <unistd.h>

enum { times = 2000, pause_us = 200000 };

int main(int argc, char** argv) {
    int out[64] = {0}, in[64], rank, ranks;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (rank > 0) usleep(pause_us);
    for (int i = 0; i < times; i++) {
        MPI_Request send, receive;
        MPI_Psend_init(out, 4, 8, MPI_INT, (rank + 1) % ranks, 3, MPI_COMM_WORLD, MPI_INFO_NULL,
                       &send);
        MPI_Precv_init(in, 2, 16, MPI_INT, (rank + ranks - 1) % ranks, 3, MPI_COMM_WORLD,
                       MPI_INFO_NULL, &receive);
        MPI_Request_free(&send);
        MPI_Request_free(&receive);
    }
    if (rank == 0) usleep(2 * pause_us);
    MPI_Finalize();
    return 0;
}
