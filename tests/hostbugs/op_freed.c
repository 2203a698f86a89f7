/* SPDX-License-Identifier: BSD-3-Clause
 * The operation may be freed once the initialisation has returned: the object lives as long as
 * something uses it. Reference: MPI 4.1, sections 2.5.1 and 6.9.5. Bare hosts: fails on Open MPI
 * 4.1.4 and 5.0.7 (wrong data or SIGSEGV, 2 ranks), passes on MPICH 4.0.2 and 4.2.1. */
#include "common.h"

static void add(void* in, void* inout, int* length, MPI_Datatype* type) {
    (void)type;
    for (int i = 0; i < *length; i++) ((int*)inout)[i] += ((int*)in)[i];
}

static void multiply(void* in, void* inout, int* length, MPI_Datatype* type) {
    (void)type;
    for (int i = 0; i < *length; i++) ((int*)inout)[i] *= -3 * ((int*)in)[i];
}

int main(int argc, char** argv) {
    begin(&argc, &argv);
    int in = 2, out = 0;
    MPI_Op op, others[16];
    MPI_Request request;
    MPI_Op_create(add, 1, &op);
    MPI_Allreduce_init(&in, &out, 1, MPI_INT, op, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
    MPI_Op_free(&op);
    for (int i = 0; i < 16; i++)
        MPI_Op_create(multiply, 0, &others[i]); /* takes the freed one's place */
    for (int round = 0; round < 3; round++) {
        in = round + 1;
        MPI_Start(&request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        expect(out == (round + 1) * ranks, "sum with a freed operation", out);
    }
    for (int i = 0; i < 16; i++) MPI_Op_free(&others[i]);
    MPI_Request_free(&request);
    return finish();
}
