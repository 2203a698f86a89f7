/* SPDX-License-Identifier: BSD-3-Clause
 * Threads of two processes send each other short messages at the same time, each on a communicator
 * of its own. Reference: MPI 4.1, section 11.6. Bare hosts: hangs on Open MPI 6.0.0rc2, where two
 * threads may write their messages into btl/sm's fast box in an order that is not the one of their
 * numbers, and the receiver waits for ever for the lower one; right there with
 * OMPI_MCA_btl_sm_fbox_max=0, and on Open MPI 4.1.4 and 5.0.7. */
#include "common.h"

#include <pthread.h>
#include <stdint.h>

enum { threads = 3, messages = 20000 };
static MPI_Comm comms[threads];
static int wrong_in[threads];

static void* exchange(void* argument) {
    const intptr_t thread = (intptr_t)argument;
    const int next = (rank + 1) % ranks, last = (rank + ranks - 1) % ranks;
    for (int sent = 0; sent < messages; sent++) {
        int got = -1;
        MPI_Request requests[2];
        MPI_Irecv(&got, 1, MPI_INT, last, 0, comms[thread], &requests[0]);
        MPI_Isend(&sent, 1, MPI_INT, next, 0, comms[thread], &requests[1]);
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
        wrong_in[thread] += got != sent;
    }
    return NULL;
}

int main(int argc, char** argv) {
    int level;
    pthread_t others[threads];
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    for (intptr_t i = 0; i < threads; i++) MPI_Comm_dup(MPI_COMM_WORLD, &comms[i]);
    for (intptr_t i = 0; i < threads; i++) pthread_create(&others[i], NULL, exchange, (void*)i);
    for (intptr_t i = 0; i < threads; i++) {
        pthread_join(others[i], NULL);
        MPI_Comm_free(&comms[i]);
        expect(wrong_in[i] == 0, "messages", wrong_in[i]);
    }
    return finish();
}
