/* SPDX-License-Identifier: BSD-3-Clause
 * Unsigned integers wrap around in a sum, as in C, and compare as what they are. Open MPI's AVX
 * component saturates sums of 8 and 16 bits; both hosts compare wide ones as signed. References:
 * open-mpi/ompi #8045, #10525, #10648, pmodels/mpich #6083. Bare hosts: fails on Open MPI 4.1.4 (2
 * ranks, on processors with AVX2) and on MPICH 4.0.2. */
#include "common.h"

enum { count = 64 };

static void check_sum(void) {
    unsigned short in[count] = {0}, out[count] = {0};
    MPI_Request request;
    MPI_Allreduce_init(in, out, count, MPI_UNSIGNED_SHORT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL,
                       &request);
    for (int i = 0; i < count; i++) in[i] = (unsigned short)(rank == 0 ? 65535 : 3);
    MPI_Start(&request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    const unsigned short sum = (unsigned short)(65535 + 3 * (ranks - 1));
    for (int i = 0; i < count; i++) expect(out[i] == sum, "sum of unsigned short", out[i]);
    MPI_Request_free(&request);
}

static void check_maximum(void) {
    unsigned long in[count] = {0}, out[count] = {0};
    MPI_Request request;
    MPI_Allreduce_init(in, out, count, MPI_UNSIGNED_LONG, MPI_MAX, MPI_COMM_WORLD, MPI_INFO_NULL,
                       &request);
    for (int i = 0; i < count; i++) in[i] = rank == 0 ? ~0ul - (unsigned)i : (unsigned)rank;
    MPI_Start(&request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    for (int i = 0; i < count; i++)
        expect(out[i] == ~0ul - (unsigned)i, "maximum of unsigned long", (int)out[i]);
    MPI_Request_free(&request);
}

int main(int argc, char** argv) {
    begin(&argc, &argv);
    check_sum();
    check_maximum();
    return finish();
}
