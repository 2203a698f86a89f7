/* SPDX-License-Identifier: BSD-3-Clause
 * Sent blocks may have another datatype than received ones, of the same signature. Reference: MPI
 * 4.1, section 6.8. Bare hosts: wrong blocks, also beyond the receive buffer, on Open MPI 4.1.4
 * with 16 ranks and more, whose Bruck algorithm keeps what came in elements of the send datatype;
 * right on MPICH 4.0.2. */
#include "common.h"

enum { length = 5, gap = 3 }; /* a block of so many numbers, each with room for so many */

int main(int argc, char** argv) {
    begin(&argc, &argv);
    const size_t room = (size_t)gap * length * ranks * sizeof(float);
    float *sent = malloc(room), *got = malloc(room);
    MPI_Datatype sparse;
    MPI_Type_create_resized(MPI_FLOAT, 0, gap * sizeof(float), &sparse);
    MPI_Type_commit(&sparse);
    for (int i = 0; i < length * ranks; i++) sent[gap * i] = (float)(1000 * rank + i);
    for (int i = 0; i < gap * length * ranks; i++) got[i] = -1;
    MPI_Alltoall(sent, length, sparse, got, length, MPI_FLOAT, MPI_COMM_WORLD);
    for (int i = 0; i < ranks; i++)
        for (int k = 0; k < length; k++) {
            const float want = (float)(1000 * i + length * rank + k);
            expect(got[length * i + k] == want, "element", (int)got[length * i + k]);
        }
    MPI_Type_free(&sparse);
    free(sent);
    free(got);
    return finish();
}
