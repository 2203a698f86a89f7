/* SPDX-License-Identifier: BSD-3-Clause
 * A program that runs out of communicators, is told so, frees them and ends: it must do so
 * bare and under the library. The first argument says how many of them are copies of
 * MPI_COMM_SELF: those cost Open MPI, which has 65532, no messages. */
#define OMPI_SKIP_MPICXX 1
#define MPICH_SKIP_MPICXX 1
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { most = 70000 };
static MPI_Comm made[most];

int main(int argc, char** argv) {
    const int alone = argc > 1 ? atoi(argv[1]) : 0;
    int n = 0, code = MPI_SUCCESS;
    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    while (n < alone && MPI_Comm_dup(MPI_COMM_SELF, &made[n]) == MPI_SUCCESS) n++;
    while (n < most && (code = MPI_Comm_dup(MPI_COMM_WORLD, &made[n])) == MPI_SUCCESS) n++;
    for (int i = 0; i < n; i++) MPI_Comm_free(&made[i]);
    if (code == MPI_SUCCESS || n <= alone) {
        printf("not refused: %d made\n", n);
        return 1;
    }
    MPI_Finalize();
    return 0;
}
