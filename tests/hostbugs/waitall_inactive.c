/* SPDX-License-Identifier: BSD-3-Clause
 * MPI_Waitall over inactive persistent collectives returns at once, also when others in the array
 * are active. Reference: MPI 4.1, section 3.7.5. Bare hosts: hangs on MPICH 4.0.2 and 4.2.1 (1 rank
 * and more), passes on Open MPI 4.1.4 and 5.0.7. */
#include "common.h"

int main(int argc, char** argv) {
    begin(&argc, &argv);
    int in = 1, out = 0;
    MPI_Request requests[2];
    MPI_Allreduce_init(&in, &out, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[0]);
    MPI_Barrier_init(MPI_COMM_WORLD, MPI_INFO_NULL, &requests[1]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    MPI_Start(&requests[0]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    expect(out == ranks, "sum", out);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    MPI_Request_free(&requests[0]);
    MPI_Request_free(&requests[1]);
    return finish();
}
