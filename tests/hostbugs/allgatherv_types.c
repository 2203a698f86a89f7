/* SPDX-License-Identifier: BSD-3-Clause
 * Ranks may send blocks of one signature with different datatypes. Reference: MPI 4.1, sections 6.1
 * and 6.8. Bare hosts: never ends on Open MPI 4.1.4 and 5.0.7, whose ranks choose among algorithms
 * by the size of their own sendtype (4 ranks); passes on MPICH 4.0.2 and 4.2.1. A relative:
 * open-mpi/ompi #1907. */
#include "common.h"

enum { pairs = 1000 };

int main(int argc, char** argv) {
    begin(&argc, &argv);
    int *sent = malloc(2 * pairs * sizeof(int)), *got = malloc(2 * pairs * ranks * sizeof(int));
    int *counts = malloc(ranks * sizeof(int)), *places = malloc(ranks * sizeof(int));
    MPI_Datatype pair;
    MPI_Type_contiguous(2, MPI_INT, &pair);
    MPI_Type_commit(&pair);
    for (int i = 0; i < 2 * pairs; i++) sent[i] = 10000 * rank + i;
    for (int i = 0; i < ranks; i++) counts[i] = 2 * pairs, places[i] = 2 * pairs * i;
    if (rank % 2 == 0)
        MPI_Allgatherv(sent, 2 * pairs, MPI_INT, got, counts, places, MPI_INT, MPI_COMM_WORLD);
    else
        MPI_Allgatherv(sent, pairs, pair, got, counts, places, MPI_INT, MPI_COMM_WORLD);
    for (int i = 0; i < ranks; i++)
        for (int k = 0; k < 2 * pairs; k++)
            expect(got[2 * pairs * i + k] == 10000 * i + k, "element", got[2 * pairs * i + k]);
    MPI_Type_free(&pair);
    free(sent);
    free(got);
    free(counts);
    free(places);
    return finish();
}
