/* SPDX-License-Identifier: BSD-3-Clause
 * The datatype may be freed once the initialisation has returned. Reference: MPI 4.1, sections
 * 2.5.1 and 5.1.9. Bare hosts: fails on Open MPI 4.1.4 and 5.0.7 (wrong data or SIGSEGV, 2 ranks),
 * passes on MPICH 4.0.2 and 4.2.1. */
#include "common.h"

int main(int argc, char** argv) {
    begin(&argc, &argv);
    int data[30];
    MPI_Datatype gaps, others[16];
    MPI_Request request;
    MPI_Type_vector(10, 1, 3, MPI_INT, &gaps);
    MPI_Type_commit(&gaps);
    MPI_Bcast_init(data, 1, gaps, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
    MPI_Type_free(&gaps);
    for (int i = 0; i < 16; i++) { /* takes the freed one's place */
        MPI_Type_vector(2 + i, 1, 2, MPI_CHAR, &others[i]);
        MPI_Type_commit(&others[i]);
    }
    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < 30; i++) data[i] = rank == 0 ? 100 * round + i : -1;
        MPI_Start(&request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        for (int i = 0; i < 28; i++)
            expect(data[i] == (rank != 0 && i % 3 != 0 ? -1 : 100 * round + i),
                   "element of a freed type", data[i]);
    }
    for (int i = 0; i < 16; i++) MPI_Type_free(&others[i]);
    MPI_Request_free(&request);
    return finish();
}
