/* SPDX-License-Identifier: BSD-3-Clause
 * groups_many TIMES: communicators of some members, each by a tag and perhaps a group of its own,
 * and joins of two groups, are made and freed; fails if the process grows after a beginning. A
 * program that knows nothing of the library. */
#define OMPI_SKIP_MPICXX 1
#define MPICH_SKIP_MPICXX 1
#include <mpi.h>

#include "common/resident.h"

#include <stdio.h>
#include <stdlib.h>

enum { tags = 30000, allowed_kib = 256 };

int main(int argc, char** argv) {
    const int times = argc > 1 ? atoi(argv[1]) : 0;
    long early = 0;
    int rank, ranks, wrong = 0;
    MPI_Group all, group;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    for (int n = 0; n < times; n++) {
        MPI_Comm made, joined;
        int range[1][3] = {{0, ranks - 1, 1}};
        if (n % 2) range[0][0] = range[0][1] = rank; /* alone */
        MPI_Group_range_incl(all, 1, range, &group);
        MPI_Comm_create_group(MPI_COMM_WORLD, group, n % tags, &made);
        MPI_Group_free(&group);
        if (n % 100 == 1 && rank < ranks / 2 * 2) { /* each with its neighbour */
            MPI_Intercomm_create(made, 0, MPI_COMM_WORLD, rank ^ 1, n % tags, &joined);
            MPI_Comm_free(&joined);
        }
        MPI_Comm_free(&made);
        if (n == times / 2) early = resident_kib();
    }
    const long grown = resident_kib() - early;
    if (grown > allowed_kib) {
        fprintf(stderr, "rank %d: grown by %ld KiB\n", rank, grown);
        wrong = 1;
    }
    MPI_Group_free(&all);
    MPI_Finalize();
    return wrong;
}
