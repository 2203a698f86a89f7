/* SPDX-License-Identifier: BSD-3-Clause
 * Does the library give back what it takes?
 *   leaks          makes and frees 10,000 requests of many kinds and ends, for a memory checker
 *   leaks ROUNDS   does the same, then starts and completes so many rounds, and fails if the
 * process has grown after a beginning of either
 *   leaks partitioned TIMES   the same of partitioned operations that are made, used and freed
 *   leaks channels TIMES binds channels and unbinds them
 *   leaks unused TIMES   makes and frees partitioned sends and receives, and ends
 *   leaks duplicates TIMES   the same of sends, each on a communicator of its own */
#include "common/host_version.h"
#include "common/resident.h"
#include "mpix/mpix.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { cells = 512, kinds = 16, partitions = 4, allowed_kib = 256 };

static int in[8 * cells], out[8 * cells], counts[64], places[64], offsets[64], indices[kinds];
static MPI_Datatype types[64], gaps;
static MPI_Op op;
static MPI_Status statuses[kinds];

static void add(void* from, void* into, int* length, MPI_Datatype* type) {
    (void)type;
    for (int i = 0; i < *length; i++) ((int*)into)[i] += ((int*)from)[i];
}

/* The n-th request: another kind, datatype and count each time. */
static MPI_Request make(int n, MPI_Comm comm) {
    const int count = n % 5 * 7, parts = count / 4;
    MPI_Datatype type = n % 3 == 0 ? gaps : MPI_INT;
    MPI_Op sum = n % 2 == 0 ? MPI_SUM : op;
    MPI_Info info = MPI_INFO_NULL;
    MPI_Request request = MPI_REQUEST_NULL;
    switch (n % kinds) {
    case 0: MPI_Barrier_init(comm, info, &request); break;
    case 1: MPI_Bcast_init(out, count, type, 0, comm, info, &request); break;
    case 2: MPI_Gather_init(in, parts, type, out, parts, type, 0, comm, info, &request); break;
    case 3: MPI_Scatter_init(in, parts, type, out, parts, type, 0, comm, info, &request); break;
    case 4: MPI_Allgather_init(in, parts, type, out, parts, type, comm, info, &request); break;
    case 5:
        MPI_Allgatherv_init(in, 2, type, out, counts, places, type, comm, info, &request);
        break;
    case 6: MPI_Alltoall_init(in, parts, type, out, parts, type, comm, info, &request); break;
    case 7:
        MPI_Alltoallv_init(in, counts, places, type, out, counts, places, type, comm, info,
                           &request);
        break;
    case 8:
        MPI_Alltoallw_init(in, counts, offsets, types, out, counts, offsets, types, comm, info,
                           &request);
        break;
    case 9: MPI_Reduce_init(in, out, count, MPI_INT, sum, 0, comm, info, &request); break;
    case 10: MPI_Allreduce_init(in, out, count, MPI_INT, sum, comm, info, &request); break;
    case 11: MPI_Reduce_scatter_init(in, out, counts, MPI_INT, sum, comm, info, &request); break;
    case 12:
        MPI_Reduce_scatter_block_init(in, out, parts, MPI_INT, sum, comm, info, &request);
        break;
    case 13: MPI_Scan_init(in, out, count, MPI_INT, sum, comm, info, &request); break;
    case 14: MPI_Exscan_init(in, out, count, MPI_INT, sum, comm, info, &request); break;
    default: MPI_Allreduce_init(in, out, cells, MPI_INT, MPI_SUM, comm, info, &request); break;
    }
    return request;
}

static void use(MPI_Request* request) {
    MPI_Start(request);
    MPI_Wait(request, MPI_STATUS_IGNORE);
}

/* Persistent messages to oneself, of a datatype that is freed at once. */
static void make_messages(MPI_Comm comm) {
    MPI_Datatype freed;
    MPI_Request pair[2];
    int rank;
    MPI_Comm_rank(comm, &rank);
    MPI_Type_dup(gaps, &freed);
    MPI_Type_commit(&freed);
    MPI_Recv_init(out, 3, freed, rank, 8, comm, &pair[0]);
    MPI_Send_init(in, 3, freed, rank, 8, comm, &pair[1]);
    MPI_Type_free(&freed);
    MPI_Startall(2, pair);
    MPI_Waitall(2, pair, statuses);
    MPI_Request_free(&pair[0]);
    MPI_Request_free(&pair[1]);
}

/* On the world, on duplicates that come and go, with errors and types and ops freed between. */
static void make_and_free(int times, MPI_Comm* copy) {
    for (int n = 0; n < times; n++) {
        MPI_Request request = make(n, n % 3 == 1 ? *copy : MPI_COMM_WORLD);
        if (n % 4 == 0) use(&request);
        if (n % 500 == 499) {
            MPI_Comm_free(copy);
            MPI_Comm_dup(MPI_COMM_WORLD, copy);
        }
        if (n % 100 == 0) {
            MPI_Datatype freed;
            MPI_Request typed, refused = MPI_REQUEST_NULL;
            MPI_Type_dup(gaps, &freed);
            MPI_Bcast_init(out, 5, freed, 0, *copy, MPI_INFO_NULL, &typed);
            MPI_Type_free(&freed);
            use(&typed);
            MPI_Request_free(&typed);
            MPI_Bcast_init(out, -1 - n, MPI_INT, 0, *copy, MPI_INFO_NULL, &refused);
            make_messages(*copy);
        }
        MPI_Request_free(&request);
    }
}

/* One round, completed in another way each time. */
static void run(MPI_Request requests[], int round) {
    int flag = 0, count = 0;
    MPI_Request* one = &requests[round % kinds];
    if (round % 64 != 0) {
        MPI_Start(one);
        if (round % 2 == 0) MPI_Wait(one, MPI_STATUS_IGNORE);
        while (round % 2 == 1 && !flag) {
            MPI_Test(one, &flag, &statuses[0]);
            if (!flag) sched_yield();
        }
        return;
    }
    MPI_Startall(kinds, requests);
    if (round % 128 == 0) MPI_Waitall(kinds, requests, statuses);
    while (round % 128 != 0 && count != MPI_UNDEFINED)
        MPI_Waitsome(kinds, requests, &count, indices, statuses);
}

static int grew(const char* by, long early, long allowed) {
    const long late = resident_kib();
    printf("resident %ld KiB early in %s, %ld KiB at the end\n", early, by, late);
    return late - early > allowed;
}

/* What is lost is lost again; what the host takes on a busy machine it has then. */
static int requests_grow(MPI_Comm* copy) {
    int grow = 1;
    make_and_free(2000, copy);
    for (int times = 0; times < 2 && grow; times++) {
        const long early = resident_kib();
        make_and_free(8000, copy);
        grow = grew("making and freeing requests", early, allowed_kib);
        MPI_Allreduce(MPI_IN_PLACE, &grow, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    }
    return grow;
}

static int rounds_grow(int rounds, MPI_Comm copy) {
    MPI_Request requests[kinds];
    long early = 0;
    for (int n = 0; n < kinds; n++) requests[n] = make(n, n % 2 == 0 ? copy : MPI_COMM_WORLD);
    for (int round = 0; round < rounds; round++) {
        run(requests, round);
        if (round == rounds / 10) early = resident_kib();
        if (round % 1000 == 0) MPI_Barrier(MPI_COMM_WORLD); /* no rank runs far ahead */
    }
    const int failed = grew("starting and waiting", early, allowed_kib);
    for (int n = 0; n < kinds; n++) MPI_Request_free(&requests[n]);
    return failed;
}

/* Round the ring. */
static void make_ring(int count, MPI_Request* send, MPI_Request* receive) {
    int rank, ranks;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Psend_init(in, partitions, count, MPI_INT, (rank + 1) % ranks, 3, MPI_COMM_WORLD,
                   MPI_INFO_NULL, send);
    MPI_Precv_init(out, partitions / 2, 2 * count, MPI_INT, (rank + ranks - 1) % ranks, 3,
                   MPI_COMM_WORLD, MPI_INFO_NULL, receive);
}

/* Ring and sum, with requests for partitions, one of which nobody completes. Every third time none
 * is used. */
static void make_partitioned(int n) {
    enum { send, receive, sum, made };
    const int count = n % 100 == 0 ? cells : n % 8;
    MPI_Request requests[made], one[2];
    make_ring(count, &requests[send], &requests[receive]);
    MPIX_Pallreduce_init(in, out + partitions * cells, partitions, count, MPI_INT, MPI_SUM,
                         MPI_COMM_WORLD, MPI_INFO_NULL, &requests[sum]);
    MPIX_Partition_request(requests[receive], 1, &one[0]);
    MPIX_Partition_request(requests[sum], 1, &one[1]);
    if (n % 3 != 2) {
        MPI_Startall(made, requests);
        if (n % 6 == 0) MPIX_Pbuf_prepareall(made, requests);
        MPI_Pready_range(0, partitions - 1, requests[send]);
        for (int p = 0; p < partitions; p++) MPI_Pready(p, requests[sum]);
        MPI_Wait(&one[0], MPI_STATUS_IGNORE);
        MPI_Waitall(made, requests, statuses);
    }
    for (int i = 0; i < made; i++) MPI_Request_free(&requests[i]);
    for (int i = 0; i < 2; i++) MPI_Request_free(&one[i]);
}

static int partitioned_grow(int times) {
    long early = 0;
    for (int n = 0; n < times; n++) {
        make_partitioned(n);
        if (n == times / 10) early = resident_kib();
    }
    /* Of MPICH 4.2 as much after 60 times as after 2400. */
    return grew("partitioned operations", early, mpich_version() >= 40100 ? 1536 : 1024);
}

static void make_unused(int times) {
    MPI_Request ends[2];
    for (int n = 0; n < times; n++) {
        make_ring(n % 8, &ends[0], &ends[1]);
        MPI_Request_free(&ends[n % 2]);
        MPI_Request_free(&ends[(n + 1) % 2]);
    }
}

static int duplicates_grow(int times) {
    long early = 0;
    int rank, ranks;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    for (int n = 0; n < times; n++) {
        MPI_Comm copy;
        MPI_Request send;
        MPI_Comm_dup(MPI_COMM_WORLD, &copy);
        MPI_Psend_init(out, partitions, n % 8, MPI_INT, (rank + 1) % ranks, n, copy, MPI_INFO_NULL,
                       &send);
        MPI_Request_free(&send);
        MPI_Comm_free(&copy);
        if (n == times / 10) early = resident_kib();
    }
    return grew("sends on duplicates", early, allowed_kib);
}

/* A ring of channels, in a bundle every other time, with binds and unbinds of each form. */
static void make_channels(int n) {
    enum { ends = 2 };
    const int slackness[ends] = {1 + n % 5, 1 + n % 5}, count = n % 100 == 0 ? cells : n % 8;
    int rank, ranks;
    MPI_Request message[ends], channel[ends], bundle = MPI_REQUEST_NULL;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Send_init(in, count, n % 3 ? MPI_INT : gaps, (rank + 1) % ranks, 3, MPI_COMM_WORLD,
                  &message[0]);
    MPI_Recv_init(out, count, n % 3 ? MPI_INT : gaps, (rank + ranks - 1) % ranks, 3, MPI_COMM_WORLD,
                  &message[1]);
    if (n % 2) {
        MPIX_Bind_slack_channels(message, channel, ends, slackness, NULL);
    } else {
        MPIX_Ibind_slack_channels(message, channel, ends, slackness, NULL);
        MPI_Waitall(ends, message, statuses);
    }
    if (n % 4 < 2) MPIX_Bundle_init(ends, channel, MPI_INFO_NULL, &bundle);
    if (bundle != MPI_REQUEST_NULL) {
        MPI_Start(&bundle);
        MPI_Wait(&bundle, MPI_STATUS_IGNORE);
        MPI_Request_free(&bundle);
    } else {
        MPI_Startall(ends, channel);
        MPI_Waitall(ends, channel, statuses);
    }
    if (n % 3) {
        MPIX_Unbind_channels(channel, ends);
    } else {
        MPIX_Iunbind_channels(channel, ends);
        MPI_Waitall(ends, channel, statuses);
    }
    for (int i = 0; i < ends; i++) MPI_Request_free(&message[i]);
}

static int channels_grow(int times) {
    long early = 0;
    for (int n = 0; n < times; n++) {
        make_channels(n);
        if (n == times / 10) early = resident_kib();
    }
    return grew("channels", early, allowed_kib);
}

int main(int argc, char** argv) {
    int failed = 0, ranks;
    MPI_Comm copy;
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    MPI_Op_create(add, 1, &op);
    MPI_Type_vector(2, 1, 2, MPI_INT, &gaps);
    MPI_Type_commit(&gaps);
    for (int r = 0; r < ranks && r < 64; r++) {
        counts[r] = 2;
        places[r] = 2 * r;
        offsets[r] = places[r] * (int)sizeof(int);
        types[r] = MPI_INT;
    }
    if (argc > 2 && !strcmp(argv[1], "partitioned"))
        failed = partitioned_grow(atoi(argv[2]));
    else if (argc > 2 && !strcmp(argv[1], "channels"))
        failed = channels_grow(atoi(argv[2]));
    else if (argc > 2 && !strcmp(argv[1], "duplicates"))
        failed = duplicates_grow(atoi(argv[2]));
    else if (argc > 2)
        make_unused(atoi(argv[2]));
    else if (argc > 1)
        failed = requests_grow(&copy) + rounds_grow(atoi(argv[1]), copy);
    else
        make_and_free(10000, &copy);
    MPI_Type_free(&gaps);
    MPI_Op_free(&op);
    MPI_Comm_free(&copy);
    MPI_Finalize();
    return failed;
}
