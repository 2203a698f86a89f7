/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The program ends with channels, slack channels and a bundle of them that nobody has unbound or
 * freed, some with data that nobody has received, and with an end whose partner was never bound.
 * The last that it does before is to unbind others: their datatypes are given back at the end. */
#include "mpix/mpix.h"

#include <stdlib.h>

enum { slots = 4, ends = 4, rounds = 10 };

static void unbind_others(int next, int previous) {
    static int gaps[6];
    MPI_Datatype every_other;
    MPI_Request message[2], channel[2];
    MPI_Type_vector(3, 1, 2, MPI_INT, &every_other);
    MPI_Type_commit(&every_other);
    MPI_Send_init(gaps, 1, every_other, next, ends, MPI_COMM_WORLD, &message[0]);
    MPI_Recv_init(gaps + 1, 1, every_other, previous, ends, MPI_COMM_WORLD, &message[1]);
    MPIX_Bind_channels(message, channel, 2, NULL);
    for (int i = 0; i < 2; i++) {
        MPIX_Iunbind_channel(channel[i], MPI_INFO_NULL);
        MPI_Request_free(&message[i]);
    }
    for (int i = 0; i < 2; i++) MPI_Wait(&channel[i], MPI_STATUS_IGNORE);
    MPI_Type_free(&every_other);
}

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
    unbind_others((rank + 1) % ranks, (rank + ranks - 1) % ranks);
    MPI_Finalize();
    return in[0] == 1 ? EXIT_SUCCESS : EXIT_FAILURE;
}
