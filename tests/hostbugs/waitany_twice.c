/* SPDX-License-Identifier: BSD-3-Clause
 * A persistent collective that MPI_Waitany has completed is inactive: the next call must not return
 * it again, and says MPI_UNDEFINED when none is active. Reference: MPI 4.1, section 3.7.5. Bare
 * hosts: fails on MPICH 4.0.2 (the completed one comes again, 1 rank and more), passes on MPICH
 * 4.2.1, Open MPI 4.1.4 and 5.0.7. */
#include "common.h"

int main(int argc, char** argv) {
    begin(&argc, &argv);
    int in = 1, out[3], seen[3] = {0, 0, 0}, index;
    MPI_Request requests[3];
    for (int i = 0; i < 3; i++)
        MPI_Allreduce_init(&in, &out[i], 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL,
                           &requests[i]);
    MPI_Startall(3, requests);
    for (int i = 0; i < 3; i++) {
        MPI_Waitany(3, requests, &index, MPI_STATUS_IGNORE);
        expect(index >= 0 && index < 3, "index", index);
        if (index >= 0 && index < 3) expect(seen[index]++ == 0, "completed twice", index);
    }
    MPI_Waitany(3, requests, &index, MPI_STATUS_IGNORE);
    expect(index == MPI_UNDEFINED, "none is active", index);
    if (!wrong)
        for (int i = 0; i < 3; i++) MPI_Request_free(&requests[i]);
    return finish();
}
