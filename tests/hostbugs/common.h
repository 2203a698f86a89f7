/* SPDX-License-Identifier: BSD-3-Clause
 * Each program here shows one bug of a host MPI: exit 0 where the host (or a library above it) is
 * right, 1 where it is wrong. They know nothing of mpix: on Open MPI 4.1 they use the names that
 * its mpi-ext.h declares. */
#ifndef HOSTBUGS_COMMON_H
#define HOSTBUGS_COMMON_H

#define OMPI_SKIP_MPICXX 1
#define MPICH_SKIP_MPICXX 1
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if __has_include(<mpi-ext.h>)
#include <mpi-ext.h>
#endif
#ifdef OMPI_HAVE_MPI_EXT_PCOLLREQ
#define MPI_Allgather_init MPIX_Allgather_init
#define MPI_Allreduce_init MPIX_Allreduce_init
#define MPI_Alltoallv_init MPIX_Alltoallv_init
#define MPI_Barrier_init MPIX_Barrier_init
#define MPI_Bcast_init MPIX_Bcast_init
#define MPI_Gather_init MPIX_Gather_init
#define MPI_Neighbor_alltoall_init MPIX_Neighbor_alltoall_init
#define MPI_Neighbor_alltoallv_init MPIX_Neighbor_alltoallv_init
#define MPI_Neighbor_alltoallw_init MPIX_Neighbor_alltoallw_init
#define MPI_Reduce_init MPIX_Reduce_init
#define MPI_Scatter_init MPIX_Scatter_init
#endif

static int rank, ranks, wrong;

static inline void begin(int* argc, char*** argv) {
    MPI_Init(argc, argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
}

static inline void expect(int condition, const char* what, int got) {
    if (condition) return;
    if (!wrong) fprintf(stderr, "rank %d: %s (got %d)\n", rank, what, got);
    wrong = 1;
}

/* The worst rank decides. */
static inline int finish(void) {
    int any = 1;
    MPI_Allreduce(&wrong, &any, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    MPI_Finalize();
    return any;
}

#endif
