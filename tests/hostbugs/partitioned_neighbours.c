/* SPDX-License-Identifier: BSD-3-Clause
 * One rank sends partitions to two others. Reference: MPI 4.1, section 4.2; open-mpi/ompi #12969.
 * Bare hosts: fails on Open MPI 5.0.7 (wrong data, then a hang: 3 ranks and more), passes on MPICH
 * 4.0.2 and 4.2.1; Open MPI 4.1 has no partitioned communication. */
#include "common.h"

enum { partitions = 2, ints = 16 };

int main(int argc, char** argv) {
    begin(&argc, &argv);
    int data[partitions * ints];
    MPI_Request requests[2];
    const int others = rank == 0 ? (ranks < 3 ? ranks - 1 : 2) : rank <= 2;
    for (int k = 0; k < others; k++)
        if (rank == 0)
            MPI_Psend_init(data, partitions, ints, MPI_INT, 1 + k, 0, MPI_COMM_WORLD, MPI_INFO_NULL,
                           &requests[k]);
        else
            MPI_Precv_init(data, partitions, ints, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_INFO_NULL,
                           &requests[k]);
    for (int round = 0; round < 2; round++) {
        for (int i = 0; i < partitions * ints; i++) data[i] = rank == 0 ? 100 * round + i : -1;
        MPI_Startall(others, requests);
        for (int k = 0; rank == 0 && k < others; k++)
            for (int p = 0; p < partitions; p++) MPI_Pready(p, requests[k]);
        MPI_Waitall(others, requests, MPI_STATUSES_IGNORE);
        for (int i = 0; others > 0 && i < partitions * ints; i++)
            expect(data[i] == 100 * round + i, "element", data[i]);
    }
    for (int k = 0; k < others; k++) MPI_Request_free(&requests[k]);
    return finish();
}
