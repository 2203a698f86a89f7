/* SPDX-License-Identifier: BSD-3-Clause
 *
 * mpix-info [--threads]: prints what the library is and can do here: version, host, capabilities,
 * what messages cost, variables, info keys, solvers. Runs alone or under mpirun, where ranks
 * measure what messages between them cost, and rank 0 prints. --threads asks the host for
 * MPI_THREAD_MULTIPLE. */
#include "mpix/mpix.h"

#include <stdio.h>
#include <string.h>

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

int main(int argc, char** argv) {
    int provided, rank, failed = 0;
    const int wants_threads = argc == 2 && strcmp(argv[1], "--threads") == 0;
    if (argc > 1 && !wants_threads) {
        fputs("usage: mpix-info [--threads]\n", stderr);
        return 64;
    }
    MPI_Init_thread(&argc, &argv, wants_threads ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE,
                    &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    meet();
    if (rank == 0) failed = print();
    MPI_Finalize();
    return failed;
}
