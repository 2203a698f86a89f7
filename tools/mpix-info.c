/* SPDX-License-Identifier: BSD-3-Clause
 *
 * mpix-info: prints what the library says of itself. It knows nothing that it is not told. */
#define _POSIX_C_SOURCE 200112L /* setenv */
#include "mpix/mpix.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char usage[] =
    "usage: mpix-info [--threads]\n"
    "       mpirun -n RANKS mpix-info --explain OPERATION BYTES\n"
    "       mpix-info plan [argument of mpix-simulate plan...]\n"
    "\n"
    "Prints what the library is and can do here: version, host, capabilities, what messages cost,\n"
    "variables with their values, info keys, solvers. Runs alone or under mpirun, where ranks\n"
    "measure what messages between them cost, and rank 0 prints.\n"
    "\n"
    "  --threads  asks the host for MPI_THREAD_MULTIPLE\n"
    "  --explain OPERATION BYTES\n"
    "             instead, what such an operation has to choose from, with what the model\n"
    "             expects of each; what is taken; and how a race with the host ends. BYTES are of\n"
    "             one block; K and M are understood. OPERATION is barrier, bcast, gather,\n"
    "             scatter, allgather, alltoall, reduce, allreduce, reduce_scatter_block, scan or\n"
    "             exscan\n"
    "  plan       draws a plan, without MPI: it is mpix-simulate plan that does\n"
    "\n"
    "Returns 0; 1 if there is no such operation or no memory; 64 for a wrong command line.\n";

/* Ranks that meet measure. */
static void meet(void) {
    MPI_Request barrier;
    if (MPI_Barrier_init(MPI_COMM_WORLD, MPI_INFO_NULL, &barrier) == MPI_SUCCESS)
        MPI_Request_free(&barrier);
}

static int print(void) {
    const char* text = MPIX_Describe();
    if (!text) {
        fputs("mpix-info: out of memory\n", stderr);
        return 1;
    }
    return fputs(text, stdout) < 0 || fflush(stdout) != 0;
}

/* Sums are of integers: the host may be raced. Nothing is made of an operation that is none. */
static void make(const char* name, int* in, int* out, int count, MPI_Request* request) {
    const MPI_Comm comm = MPI_COMM_WORLD;
    const MPI_Info info = MPI_INFO_NULL;
    const MPI_Datatype type = MPI_INT;
    if (!strcmp(name, "barrier"))
        MPI_Barrier_init(comm, info, request);
    else if (!strcmp(name, "bcast"))
        MPI_Bcast_init(out, count, type, 0, comm, info, request);
    else if (!strcmp(name, "gather"))
        MPI_Gather_init(in, count, type, out, count, type, 0, comm, info, request);
    else if (!strcmp(name, "scatter"))
        MPI_Scatter_init(in, count, type, out, count, type, 0, comm, info, request);
    else if (!strcmp(name, "allgather"))
        MPI_Allgather_init(in, count, type, out, count, type, comm, info, request);
    else if (!strcmp(name, "alltoall"))
        MPI_Alltoall_init(in, count, type, out, count, type, comm, info, request);
    else if (!strcmp(name, "reduce"))
        MPI_Reduce_init(in, out, count, type, MPI_SUM, 0, comm, info, request);
    else if (!strcmp(name, "allreduce"))
        MPI_Allreduce_init(in, out, count, type, MPI_SUM, comm, info, request);
    else if (!strcmp(name, "reduce_scatter_block"))
        MPI_Reduce_scatter_block_init(in, out, count, type, MPI_SUM, comm, info, request);
    else if (!strcmp(name, "scan"))
        MPI_Scan_init(in, out, count, type, MPI_SUM, comm, info, request);
    else if (!strcmp(name, "exscan"))
        MPI_Exscan_init(in, out, count, type, MPI_SUM, comm, info, request);
}

/* -1: that is no number of bytes. */
static long read_bytes(const char* text) {
    char* end = NULL;
    long bytes = strtol(text, &end, 10);
    if (*end == 'K')
        bytes *= 1 << 10, end++;
    else if (*end == 'M')
        bytes *= 1 << 20, end++;
    return end != text && *end == '\0' && bytes >= 0 && bytes <= 64 << 20 ? bytes : -1;
}

/* The library says it all. */
static int explain(const char* name, long bytes) {
    const int count = (int)((bytes + 3) / 4), rounds = 256;
    int ranks, rank;
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int* const in = calloc((size_t)ranks * (size_t)count + 1, sizeof *in);
    int* const out = calloc((size_t)ranks * (size_t)count + 1, sizeof *out);
    const int is_there = in && out;
    int are_all_there = 0;
    MPI_Allreduce(&is_there, &are_all_there, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    if (are_all_there) make(name, in, out, count, &request);
    const int is_made = request != MPI_REQUEST_NULL;
    for (int round = 0; is_made && round < rounds; round++) {
        MPI_Start(&request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    if (is_made && rank == 0) printf("%s\n", MPIX_Plan_name(request));
    if (is_made) MPI_Request_free(&request);
    if (!is_made && rank == 0)
        fprintf(stderr, "mpix-info: %s\n", are_all_there ? "no such operation" : "out of memory");
    free(in);
    free(out);
    return !is_made;
}

/* By the one beside this program, or on the path. */
static int draw(char** argv) {
    static char program[4096 + sizeof "mpix-simulate"];
    const ssize_t length = readlink("/proc/self/exe", program, 4096);
    char* const slash = length > 0 ? strrchr(program, '/') : NULL;
    argv[0] = strcpy(slash ? slash + 1 : program, "mpix-simulate");
    if (slash) execv(program, argv);
    execvp(argv[0], argv);
    perror("mpix-info: mpix-simulate");
    return 1;
}

int main(int argc, char** argv) {
    int provided, rank, failed = 0;
    const int wants_threads = argc == 2 && strcmp(argv[1], "--threads") == 0;
    const int explains = argc == 4 && strcmp(argv[1], "--explain") == 0;
    const long bytes = explains ? read_bytes(argv[3]) : 0;
    if (argc > 1 && strcmp(argv[1], "plan") == 0) return draw(argv);
    if (argc == 2 && strcmp(argv[1], "--help") == 0) return fputs(usage, stdout) < 0;
    if ((argc > 1 && !wants_threads && !explains) || bytes < 0) {
        fputs(usage, stderr);
        return 64;
    }
    if (explains) setenv("MPIX_VERBOSE", "plan,ways", 1);
    MPI_Init_thread(&argc, &argv, wants_threads ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE,
                    &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (explains) {
        failed = explain(argv[2], bytes);
    } else {
        meet();
        if (rank == 0) failed = print();
    }
    MPI_Finalize();
    return failed;
}
