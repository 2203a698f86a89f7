/* SPDX-License-Identifier: BSD-3-Clause
 * MPI_Finalize returns on all ranks that have ended their communication, whoever they talked to.
 * Reference: MPI 4.1, section 11.2.2. Bare hosts: on MPICH 4.0.2, whose UCX has TCP between the
 * hosts, it never returns in half of the runs on 2 hosts of 2 ranks, as each connection is closed
 * with a question that a rank in the launcher's barrier does not answer. */
#include "common.h"

int main(int argc, char** argv) {
    begin(&argc, &argv);
    int out[16], in[16];
    for (int round = 0; round < 10; round++) {
        for (int i = 0; i < ranks; i++) out[i] = 100 * rank + i + round;
        MPI_Alltoall(out, 1, MPI_INT, in, 1, MPI_INT, MPI_COMM_WORLD);
        for (int i = 0; i < ranks; i++) expect(in[i] == 100 * i + rank + round, "block", in[i]);
    }
    return finish();
}
