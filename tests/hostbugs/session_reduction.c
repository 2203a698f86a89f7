/* SPDX-License-Identifier: BSD-3-Clause
 * MPI_Reduce_local needs no communicator, and so no MPI_Init. Open MPI from 5.0 on looks for its
 * implementation at MPI_COMM_WORLD, which a program of sessions does not have. Reference: MPI 4.1,
 * section 6.9.7. Bare hosts: crashes on Open MPI 5.0.7 and 6.0.0rc2 (1 rank and more),
 * passes on MPICH 4.2.1 and 5.0.2. */
#include "common.h"

int main(void) {
    int in = 3, out = 4;
    MPI_Session session;
    MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session);
    MPI_Reduce_local(&in, &out, 1, MPI_INT, MPI_SUM);
    expect(out == 7, "the sum", out);
    MPI_Session_finalize(&session);
    return wrong;
}
