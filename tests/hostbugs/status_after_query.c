/* SPDX-License-Identifier: BSD-3-Clause
 * MPI_Request_get_status leaves a finished request as it is: the Wait that follows has its status.
 * Reference: MPI 4.1, section 3.7.6.
 * Bare hosts: fails on MPICH 4.2.1 (persistent receives: the status is empty, 1 rank and more),
 * passes on MPICH 4.0.2, Open MPI 4.1.4 and 5.0.7. */
#include "common.h"

int main(int argc, char** argv) {
    begin(&argc, &argv);
    int out = 7, in = 0, flag = 0, count = -1;
    MPI_Request receive, send;
    MPI_Status status;
    MPI_Recv_init(&in, 1, MPI_INT, 0, 5, MPI_COMM_SELF, &receive);
    for (int round = 0; round < 2; round++) {
        MPI_Start(&receive);
        MPI_Isend(&out, 1, MPI_INT, 0, 5, MPI_COMM_SELF, &send);
        MPI_Wait(&send, MPI_STATUS_IGNORE);
        for (flag = 0; !flag;) MPI_Request_get_status(receive, &flag, MPI_STATUS_IGNORE);
        memset(&status, 0x5a, sizeof status);
        MPI_Wait(&receive, &status);
        MPI_Get_count(&status, MPI_INT, &count);
        expect(status.MPI_SOURCE == 0, "source", status.MPI_SOURCE);
        expect(status.MPI_TAG == 5, "tag", status.MPI_TAG);
        expect(count == 1, "count", count);
    }
    MPI_Request_free(&receive);
    return finish();
}
