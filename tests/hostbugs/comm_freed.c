/* SPDX-License-Identifier: BSD-3-Clause
 * The communicator may be freed once the initialisation has returned: pending and persistent
 * operations keep it. Reference: MPI 4.1, sections 2.5.1 and 7.4.3. Bare hosts: fails on Open MPI
 * 4.1.4 and 5.0.7 (SIGSEGV or wrong data, a hang on 1 rank), passes on MPICH 4.0.2 and 4.2.1. */
#include "common.h"

int main(int argc, char** argv) {
    begin(&argc, &argv);
    int in = 1, out = 0;
    MPI_Comm copy, others[8];
    MPI_Request request;
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    MPI_Allreduce_init(&in, &out, 1, MPI_INT, MPI_SUM, copy, MPI_INFO_NULL, &request);
    MPI_Comm_free(&copy);
    for (int i = 0; i < 8; i++)
        MPI_Comm_split(MPI_COMM_WORLD, rank, 0, &others[i]); /* takes the freed one's place */
    for (int round = 0; round < 3; round++) {
        in = round + 1;
        MPI_Start(&request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        expect(out == (round + 1) * ranks, "sum on a freed communicator", out);
    }
    for (int i = 0; i < 8; i++) MPI_Comm_free(&others[i]);
    MPI_Request_free(&request);
    return finish();
}
