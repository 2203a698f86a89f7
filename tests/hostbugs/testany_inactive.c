/* SPDX-License-Identifier: BSD-3-Clause
 * MPI_Testany over inactive requests gives flag, MPI_UNDEFINED and an empty status. Reference: MPI
 * 4.1, section 3.7.5. Bare hosts: fails on MPICH 4.0.2 (flag false, status unwritten, 1 rank and
 * more), passes on MPICH 4.2.1, Open MPI 4.1.4 and 5.0.7. */
#include "common.h"

int main(int argc, char** argv) {
    begin(&argc, &argv);
    int in = 1, out[2], flag = 0, index = 7, count = -1;
    MPI_Request requests[2];
    MPI_Status status;
    memset(&status, 0x5a, sizeof status);
    for (int i = 0; i < 2; i++)
        MPI_Allreduce_init(&in, &out[i], 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL,
                           &requests[i]);
    MPI_Testany(2, requests, &index, &flag, &status);
    MPI_Get_count(&status, MPI_INT, &count);
    expect(flag, "flag", flag);
    expect(index == MPI_UNDEFINED, "index", index);
    expect(status.MPI_SOURCE == MPI_ANY_SOURCE, "source of an empty status", status.MPI_SOURCE);
    expect(status.MPI_TAG == MPI_ANY_TAG, "tag of an empty status", status.MPI_TAG);
    expect(count == 0, "count of an empty status", count);
    for (int i = 0; i < 2; i++) MPI_Request_free(&requests[i]);
    return finish();
}
