/* SPDX-License-Identifier: BSD-3-Clause
 * A persistent receive from MPI_PROC_NULL that has been freed must not disturb the persistent
 * collective that comes next. Reference: MPI 4.1, section 3.9 (a request is independent of those
 * freed before it). Bare hosts: hangs on MPICH 4.0.2 (the collective is never started, 1 rank and
 * more), passes on MPICH 4.2.1, Open MPI 4.1.4 and 5.0.7. */
#include "common.h"

int main(int argc, char** argv) {
    begin(&argc, &argv);
    int in = 1, out = 0;
    MPI_Request nothing, request;
    MPI_Recv_init(NULL, 0, MPI_BYTE, MPI_PROC_NULL, 0, MPI_COMM_SELF, &nothing);
    MPI_Request_free(&nothing);
    MPI_Allreduce_init(&in, &out, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
    for (int round = 0; round < 3; round++) {
        in = round + 1;
        MPI_Start(&request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        expect(out == (round + 1) * ranks, "sum", out);
    }
    MPI_Request_free(&request);
    return finish();
}
