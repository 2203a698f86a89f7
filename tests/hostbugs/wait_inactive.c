/* SPDX-License-Identifier: BSD-3-Clause
 * MPI_Wait on an inactive persistent collective returns at once with an empty status. Reference:
 * MPI 4.1, section 3.7.3. Bare hosts: hangs on MPICH 4.0.2 (1 rank and more), passes on MPICH
 * 4.2.1, Open MPI 4.1.4 and 5.0.7. */
#include "common.h"

int main(int argc, char** argv) {
    begin(&argc, &argv);
    int in = 1, out = 0, count = -1;
    MPI_Request request;
    MPI_Status status;
    MPI_Allreduce_init(&in, &out, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
    for (int round = 0; round < 2; round++) {
        status.MPI_SOURCE = status.MPI_TAG = 77;
        MPI_Wait(&request, &status); /* inactive: before any Start, then after a completed one */
        MPI_Get_count(&status, MPI_INT, &count);
        expect(status.MPI_SOURCE == MPI_ANY_SOURCE, "source of an empty status", status.MPI_SOURCE);
        expect(status.MPI_TAG == MPI_ANY_TAG, "tag of an empty status", status.MPI_TAG);
        expect(count == 0, "count of an empty status", count);
        MPI_Start(&request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        expect(out == ranks, "sum", out);
    }
    MPI_Request_free(&request);
    return finish();
}
