/* SPDX-License-Identifier: BSD-3-Clause
 * The C twin of the Fortran programs here: persistent sums from a program that knows nothing of
 * mpix. */
#define OMPI_SKIP_MPICXX 1
#define MPICH_SKIP_MPICXX 1
#include <mpi.h>
#include <stdio.h>
#if __has_include(<mpi-ext.h>)
#include <mpi-ext.h>
#endif
#ifdef OMPI_HAVE_MPI_EXT_PCOLLREQ
#define MPI_Allreduce_init MPIX_Allreduce_init
#define MPI_Bcast_init MPIX_Bcast_init
#endif

enum { operations = 4 };

int main(int argc, char** argv) {
    int in[operations], out[operations], told, rank, ranks, wrong = 0, any = 1, done, index;
    MPI_Request requests[operations], bcast;
    MPI_Status statuses[operations];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    for (int i = 0; i < operations; i++)
        MPI_Allreduce_init(&in[i], &out[i], 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL,
                           &requests[i]);
    MPI_Bcast_init(&told, 1, MPI_INT, ranks - 1, MPI_COMM_WORLD, MPI_INFO_NULL, &bcast);
    for (int round = 1; round <= 60; round++) {
        for (int i = 0; i < operations; i++) in[i] = 100 * round + 10 * i + rank, out[i] = -1;
        told = rank == ranks - 1 ? round : -1;
        MPI_Start(&bcast);
        if (round % 2 == 0)
            MPI_Startall(operations, requests);
        else
            for (int i = operations - 1; i >= 0; i--) MPI_Start(&requests[i]);
        switch (round % 5) {
        case 0: MPI_Waitall(operations, requests, statuses); break;
        case 1:
            for (int i = 0; i < operations; i++) MPI_Wait(&requests[i], MPI_STATUS_IGNORE);
            break;
        case 2:
            for (int i = 0; i < operations; i++)
                for (done = 0; !done;) MPI_Test(&requests[i], &done, MPI_STATUS_IGNORE);
            break;
        case 3:
            for (int i = 0; i < operations; i++) {
                MPI_Waitany(operations, requests, &index, MPI_STATUS_IGNORE);
                wrong += index < 0 || index >= operations;
            }
            break;
        default:
            for (done = 0; !done;) MPI_Testall(operations, requests, &done, statuses);
        }
        MPI_Wait(&bcast, MPI_STATUS_IGNORE);
        wrong += told != round;
        for (int i = 0; i < operations; i++)
            wrong += out[i] != (100 * round + 10 * i) * ranks + ranks * (ranks - 1) / 2;
    }
    for (int i = 0; i < operations; i++) MPI_Request_free(&requests[i]);
    MPI_Request_free(&bcast);
    MPI_Allreduce(&wrong, &any, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (any && rank == 0) printf("wrong: %d\n", any);
    MPI_Finalize();
    return any != 0;
}
