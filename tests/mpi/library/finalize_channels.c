/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The program ends with channels, slack channels and a bundle of them that nobody has unbound or
 * freed, some with data that nobody has received, and with an end whose partner was never bound. */
#include "mpix/mpix.h"

#include <stdlib.h>

enum { slots = 4, ends = 4, rounds = 10 };

int main(int argc, char** argv) {
    int out[slots] = {1, 2, 3, 4}, in[slots] = {0}, rank, ranks;
    const int slackness[ends] = {1, 1, slots, slots};
    MPI_Request message[ends], channel[ends], bundle, alone;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    for (int i = 0; i < ends; i += 2) {
        MPI_Send_init(out, 1, MPI_INT, (rank + 1) % ranks, i, MPI_COMM_WORLD, &message[i]);
        MPI_Recv_init(in, 1, MPI_INT, (rank + ranks - 1) % ranks, i, MPI_COMM_WORLD,
                      &message[i + 1]);
    }
    MPIX_Bind_slack_channels(message, channel, ends, slackness, NULL);
    MPIX_Bundle_init(2, channel, MPI_INFO_NULL, &bundle);
    for (int i = 0; i < rounds; i++) {
        MPI_Start(&bundle);
        MPI_Wait(&bundle, MPI_STATUS_IGNORE);
    }
    for (int i = 0; i < slots; i++) MPI_Start(&channel[3]);
    for (int i = 0; i < slots; i++) MPI_Start(&channel[2]);
    MPI_Wait(&channel[3], MPI_STATUS_IGNORE);
    MPIX_Recv_channel_init(in, 1, MPI_INT, rank, 77, MPI_COMM_WORLD, MPI_INFO_NULL, &alone);
    MPI_Finalize();
    return in[0] == 1 ? EXIT_SUCCESS : EXIT_FAILURE;
}
