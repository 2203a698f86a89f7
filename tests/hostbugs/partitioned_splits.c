/* SPDX-License-Identifier: BSD-3-Clause
 * MPI_Psend_init and MPI_Precv_init are local: a collective call after them needs nothing from
 * ranks that have called neither. Open MPI 5.0 duplicates MPI_COMM_WORLD behind the first of them,
 * and MPI_Comm_split on it then waits for ever. Reference: MPI 4.1, section 4.2.1. Bare hosts:
 * hangs on Open MPI 5.0.7 (2 ranks and more), passes on MPICH 4.0.2 and 4.2.1; Open MPI 4.1 has no
 * partitioned communication. */
#include "common.h"

int main(int argc, char** argv) {
    begin(&argc, &argv);
    int out = 7, in = 0;
    MPI_Request send, receive;
    MPI_Comm all;
    if (rank == 0) {
        MPI_Psend_init(&out, 1, 1, MPI_INT, 0, 5, MPI_COMM_SELF, MPI_INFO_NULL, &send);
        MPI_Precv_init(&in, 1, 1, MPI_INT, 0, 5, MPI_COMM_SELF, MPI_INFO_NULL, &receive);
    }
    for (int round = 0; round < 3; round++) {
        MPI_Comm_split(MPI_COMM_WORLD, 0, rank, &all);
        MPI_Comm_free(&all);
    }
    if (rank == 0) {
        MPI_Start(&receive);
        MPI_Start(&send);
        MPI_Pready(0, send);
        MPI_Wait(&send, MPI_STATUS_IGNORE);
        MPI_Wait(&receive, MPI_STATUS_IGNORE);
        expect(in == 7, "what arrived", in);
        MPI_Request_free(&send);
        MPI_Request_free(&receive);
    }
    return finish();
}
