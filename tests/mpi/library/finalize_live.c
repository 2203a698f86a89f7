/* SPDX-License-Identifier: BSD-3-Clause
 * MPI_Finalize with much that was never freed: inactive persistent collectives of many kinds, used
 * and unused, whose communicators, datatypes and ops are gone, and persistent messages beside them.
 * The process must end, and well. */
#include "mpix/mpix.h"

#include <stdio.h>
#include <stdlib.h>

enum { count = 40, most = 400 };

static MPI_Request requests[most];
static int made, rank, ranks, wrong;
static int in[64 * count], out[64 * count], told;

static void add(void* from, void* into, int* length, MPI_Datatype* type) {
    (void)type;
    for (int i = 0; i < *length; i++) ((int*)into)[i] += ((int*)from)[i];
}

static MPI_Request* next(void) {
    if (made == most) exit(3);
    return &requests[made++];
}

/* Plans on a communicator with types and an op that are freed at once. */
static void make_plans(MPI_Comm comm) {
    MPI_Op op;
    MPI_Datatype gaps;
    MPI_Op_create(add, 1, &op);
    MPI_Type_vector(2, 1, 2, MPI_INT, &gaps);
    MPI_Type_commit(&gaps);
    MPI_Barrier_init(comm, MPI_INFO_NULL, next());
    MPI_Bcast_init(&told, 1, gaps, 0, comm, MPI_INFO_NULL, next());
    MPI_Allreduce_init(in, out, count, MPI_INT, op, comm, MPI_INFO_NULL, next());
    MPI_Reduce_init(in, out, count, MPI_INT, MPI_MAX, 0, comm, MPI_INFO_NULL, next());
    MPI_Alltoall_init(in, 3, gaps, out, 3, gaps, comm, MPI_INFO_NULL, next());
    MPI_Allgather_init(in, 2, MPI_INT, out, 2, MPI_INT, comm, MPI_INFO_NULL, next());
    MPI_Scan_init(in, out, count, MPI_INT, op, comm, MPI_INFO_NULL, next());
    MPI_Type_free(&gaps);
    MPI_Op_free(&op);
}

static void run(int from) {
    for (int i = from; i < made; i++) {
        MPI_Start(&requests[i]);
        MPI_Wait(&requests[i], MPI_STATUS_IGNORE);
    }
}

/* A sum that is right shows that the plans were not idle. */
static void check_sum(MPI_Comm comm) {
    int one = 1, sum = 0, size = 0;
    MPI_Comm_size(comm, &size);
    MPI_Allreduce_init(&one, &sum, 1, MPI_INT, MPI_SUM, comm, MPI_INFO_NULL, next());
    run(made - 1);
    if (sum != size) wrong = 1;
}

static void make_neighbours(MPI_Comm comm) {
    MPI_Comm ring;
    int size = 0, periodic = 1;
    MPI_Comm_size(comm, &size);
    MPI_Cart_create(comm, 1, &size, &periodic, 0, &ring);
    MPI_Neighbor_alltoall_init(in, 2, MPI_INT, out, 2, MPI_INT, ring, MPI_INFO_NULL, next());
    MPI_Comm_free(&ring);
}

static void make_two_groups(void) {
    MPI_Comm local, between;
    const int is_first = rank == 0;
    if (ranks == 1) return;
    MPI_Comm_split(MPI_COMM_WORLD, is_first, 0, &local);
    MPI_Intercomm_create(local, 0, MPI_COMM_WORLD, is_first ? 1 : 0, 5, &between);
    MPI_Allreduce_init(in, out, 2, MPI_INT, MPI_SUM, between, MPI_INFO_NULL, next());
    MPI_Barrier_init(between, MPI_INFO_NULL, next());
    MPI_Comm_free(&between);
    MPI_Comm_free(&local);
}

static void make_messages(void) {
    MPI_Status statuses[2];
    const int right = (rank + 1) % ranks, left = (rank + ranks - 1) % ranks;
    MPI_Recv_init(out, 1, MPI_INT, left, 4, MPI_COMM_WORLD, next());
    MPI_Send_init(in, 1, MPI_INT, right, 4, MPI_COMM_WORLD, next());
    MPI_Startall(2, &requests[made - 2]);
    MPI_Waitall(2, &requests[made - 2], statuses);
    MPI_Ssend_init(in, 1, MPI_INT, right, 5, MPI_COMM_WORLD, next());
    MPI_Recv_init(out, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, next());
}

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Comm copy, kept;
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    MPI_Comm_dup(MPI_COMM_WORLD, &kept);
    make_plans(MPI_COMM_WORLD);
    make_plans(copy);
    make_plans(MPI_COMM_SELF);
    make_neighbours(kept);
    make_two_groups();
    run(0);
    check_sum(copy);
    MPI_Comm_free(&copy);
    run(0);
    make_plans(kept); /* never started */
    make_messages();
    check_sum(kept);
    for (int i = 0; i < made; i += 3)
        if (requests[i] != MPI_REQUEST_NULL) MPI_Request_free(&requests[i]);
    MPI_Finalize();
    if (wrong) fprintf(stderr, "rank %d: a sum is wrong\n", rank);
    return wrong;
}
