/* SPDX-License-Identifier: BSD-3-Clause
 * Unsigned integers wrap around in a sum, as in C, and compare as what they are; MPI_Offset is
 * signed. Open MPI's AVX component saturates sums of 8 and 16 bits, Open MPI compares MPI_Offset as
 * unsigned, and both hosts compare wide unsigned integers as signed. References: open-mpi/ompi
 * #8045, #10525, #10648, pmodels/mpich #6083. Bare hosts: fails on Open MPI 4.1.4 and 5.0.7, MPICH
 * 4.0.2 (2 ranks), passes on MPICH 4.2.1. */
#include "common.h"

#include <stdint.h>

enum { count = 64 };

typedef struct {
    MPI_Datatype type;
    const char* name;
} Row;

static void put(void* array, int i, int bytes, uint64_t value) {
    const uint8_t one = (uint8_t)value;
    const uint16_t two = (uint16_t)value;
    const uint32_t four = (uint32_t)value;
    const void* from = &value;
    if (bytes == 1) from = &one;
    if (bytes == 2) from = &two;
    if (bytes == 4) from = &four;
    memcpy((char*)array + i * bytes, from, (size_t)bytes);
}

/* The largest number of rank 0, and 3 of each other rank. */
static void check(Row row, MPI_Op op, uint64_t result) {
    uint64_t in[count] = {0}, out[count] = {0}, expected[count] = {0};
    int bytes = 0;
    MPI_Request request;
    MPI_Type_size(row.type, &bytes);
    MPI_Allreduce_init(in, out, count, row.type, op, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
    for (int i = 0; i < count; i++) {
        put(in, i, bytes, rank == 0 ? UINT64_MAX : 3);
        put(expected, i, bytes, result);
    }
    MPI_Start(&request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    for (int i = 0; i < count; i++)
        expect(memcmp((char*)out + i * bytes, (char*)expected + i * bytes, (size_t)bytes) == 0,
               row.name, i);
    MPI_Request_free(&request);
}

int main(int argc, char** argv) {
    begin(&argc, &argv);
    const Row rows[] = {{MPI_UNSIGNED_CHAR, "unsigned char"},
                        {MPI_UNSIGNED_SHORT, "unsigned short"},
                        {MPI_UNSIGNED, "unsigned"},
                        {MPI_UNSIGNED_LONG, "unsigned long"},
                        {MPI_UNSIGNED_LONG_LONG, "unsigned long long"},
                        {MPI_UINT8_T, "uint8_t"},
                        {MPI_UINT16_T, "uint16_t"},
                        {MPI_UINT32_T, "uint32_t"},
                        {MPI_UINT64_T, "uint64_t"}};
    const uint64_t others = (uint64_t)ranks - 1;
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        check(rows[i], MPI_SUM, UINT64_MAX + 3 * others);
        check(rows[i], MPI_MAX, UINT64_MAX);
        check(rows[i], MPI_MIN, others > 0 ? 3 : UINT64_MAX);
    }
    const Row offset = {MPI_OFFSET, "MPI_Offset"}; /* signed: here rank 0 has -1 */
    check(offset, MPI_MAX, others > 0 ? 3 : UINT64_MAX);
    check(offset, MPI_MIN, UINT64_MAX);
    return finish();
}
