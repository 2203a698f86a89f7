/* SPDX-License-Identifier: BSD-3-Clause
 * A nonblocking or persistent receive of a datatype that has an extent and no data. Reference: MPI
 * 4.1, section 5.1 (a type map may be empty); compare pmodels/mpich #6234.
 * Bare hosts: fails on MPICH 4.2.1 (divides by zero: 2 ranks and more), passes on MPICH 4.0.2, Open
 * MPI 4.1.4 and 5.0.7. The message is the host's with the library too. */
#include "common.h"

#include <signal.h>

/* mpiexec of MPICH 4.2 may lose the exit code of a rank that crashes (pmodels/mpich #7057). */
static void crash(int number) {
    (void)number;
    MPI_Abort(MPI_COMM_WORLD, 1);
}

int main(int argc, char** argv) {
    begin(&argc, &argv);
    signal(SIGFPE, crash);
    int in = -1, count = -1;
    const int next = (rank + 1) % ranks, before = (rank + ranks - 1) % ranks;
    MPI_Datatype nothing, spaced;
    MPI_Request request;
    MPI_Status status;
    MPI_Type_contiguous(0, MPI_INT, &nothing);
    MPI_Type_create_resized(nothing, 0, 8, &spaced);
    MPI_Type_commit(&spaced);
    MPI_Recv_init(&in, 1, spaced, before, 5, MPI_COMM_WORLD, &request);
    MPI_Start(&request);
    MPI_Send(NULL, 0, MPI_INT, next, 5, MPI_COMM_WORLD);
    MPI_Wait(&request, &status);
    MPI_Get_count(&status, MPI_INT, &count);
    expect(status.MPI_SOURCE == before, "source", status.MPI_SOURCE);
    expect(count == 0, "count", count);
    expect(in == -1, "the buffer", in);
    MPI_Request_free(&request);
    MPI_Type_free(&spaced);
    MPI_Type_free(&nothing);
    return finish();
}
