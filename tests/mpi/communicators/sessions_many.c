/* SPDX-License-Identifier: BSD-3-Clause
 * Many communicators out of one session.
 *   sessions_many one TIMES    made and freed one after the other, some with a partitioned pair;
 *                              fails if the process has grown after a beginning
 *   sessions_many place TIMES  the same, and others in their place, with messages of their own
 *   sessions_many last TIMES   the last that the host has, which has less than so many
 *   sessions_many tree TIMES   made while a broadcast that takes several hops is under way and
 *                              some members already have what others only get from them
 * Hosts before MPI 4 have no sessions; MPICH 4.0 itself crashes on one rank. */
#define MPICH_SKIP_MPICXX 1
#include <mpi.h>

#include "common/resident.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { most = 4000, allowed_kib = 1024 };

static int wrong, rank, ranks;
static MPI_Group world;
static MPI_Comm comms[most];

static void expect(int condition, const char* what) {
    if (condition) return;
    if (!wrong) fprintf(stderr, "rank %d: wrong: %s\n", rank, what);
    wrong = 1;
}

static MPI_Comm make(MPI_Group group) {
    MPI_Comm made = MPI_COMM_NULL;
    const int code =
        MPI_Comm_create_from_group(group, "org.mpix.many", MPI_INFO_NULL, MPI_ERRORS_RETURN, &made);
    expect(code == MPI_SUCCESS && made != MPI_COMM_NULL, "make");
    return made;
}

/* To the next, from the one before. */
static void exchange(MPI_Comm comm, int n) {
    int sent = 100 * n + rank, got = -1;
    const int next = (rank + 1) % ranks, before = (rank + ranks - 1) % ranks;
    MPI_Request pair[2];
    MPI_Psend_init(&sent, 1, 1, MPI_INT, next, 0, comm, MPI_INFO_NULL, &pair[0]);
    MPI_Precv_init(&got, 1, 1, MPI_INT, before, 0, comm, MPI_INFO_NULL, &pair[1]);
    MPI_Startall(2, pair);
    MPI_Pready(0, pair[0]);
    MPI_Waitall(2, pair, MPI_STATUSES_IGNORE);
    expect(got == 100 * n + before, "exchange");
    for (int i = 0; i < 2; i++) MPI_Request_free(&pair[i]);
}

static void one_after_the_other(int times) {
    long early = 0;
    for (int n = 0; n < times && !wrong; n++) {
        MPI_Comm comm = make(world);
        if (n % 10 == 0) exchange(comm, n);
        MPI_Comm_free(&comm);
        if (n == times / 10) early = resident_kib();
    }
    const long grown = resident_kib() - early;
    if (grown > allowed_kib) fprintf(stderr, "rank %d: grown by %ld KiB\n", rank, grown);
    expect(grown <= allowed_kib, "growth");
}

/* What is made later may get what the host knew a freed one by: its messages are its own. */
static void one_in_the_place_of_another(int times) {
    const int next = (rank + 1) % ranks, before = (rank + ranks - 1) % ranks;
    MPI_Comm base = make(world);
    for (int n = 0; n < times && !wrong; n++) {
        MPI_Comm comm = make(world);
        exchange(comm, n);
        MPI_Comm_free(&comm);
        for (int i = 0; i < 8; i++) MPI_Comm_dup(base, &comms[i]);
        for (int i = 0; i < 16; i++) {
            int got = -1;
            MPI_Sendrecv(&rank, 1, MPI_INT, next, i % 2, &got, 1, MPI_INT, before, i % 2,
                         comms[i / 2], MPI_STATUS_IGNORE);
            expect(got == before, "message");
        }
        for (int i = 0; i < 8; i++) MPI_Comm_free(&comms[i]);
    }
    MPI_Comm_free(&base);
}

static void check_use(MPI_Comm comm) {
    int sum = 0, one = 1, class = MPI_SUCCESS;
    MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
    MPI_Comm_get_errhandler(comm, &handler);
    expect(handler == MPI_ERRORS_RETURN, "handler");
    const int code = MPI_Send(&one, 1, MPI_INT, 99, 0, comm);
    MPI_Error_class(code, &class);
    expect(class == MPI_ERR_RANK, "error");
    MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, comm);
    expect(sum == ranks, "sum");
}

/* The host has one left: the program gets that. */
static void the_last(int times) {
    int n = 0;
    MPI_Comm base = make(world);
    while (n < times && MPI_Comm_dup(base, &comms[n]) == MPI_SUCCESS) n++;
    expect(n > 0 && n < times, "refusal");
    if (!wrong) MPI_Comm_free(&comms[--n]);
    MPI_Comm last = make(world);
    if (!wrong) check_use(last);
    if (last != MPI_COMM_NULL) MPI_Comm_free(&last);
    while (n > 0) MPI_Comm_free(&comms[--n]);
    exchange(base, 1);
    MPI_Comm_free(&base);
}

/* The last has to have its broadcast before it comes to the new communicator; the others may have
 * to hand it on. */
static void with_a_tree(int times) {
    int told = -1;
    MPI_Request tree;
    MPI_Comm base = make(world);
    MPI_Bcast_init(&told, 1, MPI_INT, 0, base, MPI_INFO_NULL, &tree);
    for (int n = 0; n < times && !wrong; n++) {
        told = rank == 0 ? n : -1;
        for (const double end = MPI_Wtime() + 2e-3; rank == 0 && MPI_Wtime() < end;) {}
        MPI_Start(&tree);
        if (rank == ranks - 1) MPI_Wait(&tree, MPI_STATUS_IGNORE);
        MPI_Comm comm = make(world);
        if (rank != ranks - 1) MPI_Wait(&tree, MPI_STATUS_IGNORE);
        expect(told == n, "broadcast");
        MPI_Comm_free(&comm);
    }
    MPI_Request_free(&tree);
    MPI_Comm_free(&base);
}

/* Its time and its memory for each grow with their number; it has as many as one likes; and its
 * ranks wait for each other in PMIx, where nothing moves. */
static int asks_too_much_of_open_mpi(const char* what, int times) {
    char version[MPI_MAX_LIBRARY_VERSION_STRING];
    int length = 0;
    MPI_Get_library_version(version, &length);
    return !strncmp(version, "Open MPI", 8) &&
           (!strcmp(what, "last") || (!strcmp(what, "one") && times > 150) ||
            (!strcmp(what, "tree") && ranks > 2));
}

int main(int argc, char** argv) {
    MPI_Session session;
    const int times = argc > 2 ? atoi(argv[2]) : 0;
    MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session);
    MPI_Group_from_session_pset(session, "mpi://WORLD", &world);
    MPI_Group_rank(world, &rank);
    MPI_Group_size(world, &ranks);
    if (argc < 3 || times > (strcmp(argv[1], "last") ? 1000000 : most)) return 64;
    if (asks_too_much_of_open_mpi(argv[1], times)) {
        if (rank == 0) puts("Open MPI is not asked for that");
        return 77;
    }
    if (!strcmp(argv[1], "one")) one_after_the_other(times);
    if (!strcmp(argv[1], "place")) one_in_the_place_of_another(times);
    if (!strcmp(argv[1], "last")) the_last(times);
    if (!strcmp(argv[1], "tree")) with_a_tree(times);
    MPI_Group_free(&world);
    MPI_Session_finalize(&session);
    return wrong;
}
