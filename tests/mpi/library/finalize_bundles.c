/* SPDX-License-Identifier: BSD-3-Clause
 * MPI_Finalize with bundles that were never freed: used, unused, ordered, in each other, with and
 * without their members; one is active, and so is a generalized request. The process must end, and
 * well. */
#include "mpix/mpix.h"

#include <stdio.h>

enum { most = 40 };

static MPI_Request requests[most];
static int made, rank, ranks, in, out, sent, received, starts, polls, frees;

static int start(void* state) {
    (void)state;
    ++starts;
    return MPI_SUCCESS;
}

static int poll(void* state, int* flag) {
    ++polls;
    *flag = state == NULL;
    return MPI_SUCCESS;
}

static int freed(void* state) {
    (void)state;
    ++frees;
    return MPI_SUCCESS;
}

static MPI_Request* next(void) { return &requests[made++]; }

static void make_members(MPI_Comm comm) {
    const int right = (rank + 1) % ranks, left = (rank + ranks - 1) % ranks;
    MPI_Recv_init(&received, 1, MPI_INT, left, 1, comm, next());
    MPI_Send_init(&sent, 1, MPI_INT, right, 1, comm, next());
    MPIX_Pgrequest_init(start, poll, NULL, freed, NULL, NULL, next());
    MPIX_Pallreduce_init(&in, &out, 1, 1, MPI_INT, MPI_SUM, comm, MPI_INFO_NULL, next());
}

static void run(MPI_Request* bundle, MPI_Request marked) {
    MPI_Start(bundle);
    MPI_Pready(0, marked);
    MPI_Wait(bundle, MPI_STATUS_IGNORE);
}

int main(int argc, char** argv) {
    MPI_Request bundle, outer, never, free_one;
    MPI_Comm copy;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    make_members(copy);
    in = sent = 1;
    MPIX_Bundle_init(made, requests, MPI_INFO_NULL, &bundle);
    MPIX_Bundle_init(1, &bundle, MPI_INFO_NULL, &outer);
    MPIX_Bundle_after(bundle, 3, 0);
    MPI_Comm_free(&copy);
    run(&bundle, requests[3]);
    run(&outer, requests[3]);
    int wrong = out != ranks || received != 1 || starts != 2;

    /* Never started; a bundle that is freed, and its members not. */
    make_members(MPI_COMM_WORLD);
    MPIX_Bundle_init(2, &requests[made - 2], MPI_INFO_NULL, &never);
    MPIX_Bundle_init(3, &requests[made - 3], MPI_INFO_NULL, &free_one);
    MPI_Request_free(&free_one);

    /* Active: a receive that nobody sends to, and a function that is never done. */
    MPI_Request active[2];
    MPI_Recv_init(&received, 1, MPI_INT, rank, 99, MPI_COMM_WORLD, &active[0]);
    MPIX_Pgrequest_init(start, poll, NULL, freed, NULL, &starts, &active[1]);
    MPIX_Bundle_init(2, active, MPI_INFO_NULL, next());
    MPI_Start(&requests[made - 1]);
    int flag = 1;
    MPI_Test(&requests[made - 1], &flag, MPI_STATUS_IGNORE);
    if (flag || polls < 2) wrong = 1;
    const int before = polls;
    MPI_Finalize();
    if (polls < before || frees != 0) wrong = 1;
    if (wrong) fprintf(stderr, "rank %d: wrong\n", rank);
    return wrong;
}
