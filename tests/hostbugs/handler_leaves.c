/* SPDX-License-Identifier: BSD-3-Clause
 * An error handler that jumps out of the call, with MPI_THREAD_MULTIPLE: the next error must find
 * its way too. The standard leaves what a program may do after an error to the implementation
 * (MPI 4.1, section 9.3), and this is what handlers that throw do. Reference: pmodels/mpich #7187;
 * #6251 took away the recursive lock. Bare hosts: aborts on MPICH 4.2.1, which calls the handler
 * under a lock of the communicator (1 rank and more), passes on MPICH 4.0.2, Open MPI 4.1.4
 * and 5.0.7. */
#include "common.h"

#include <setjmp.h>

static jmp_buf place;

static void jump(MPI_Comm* comm, int* code, ...) {
    (void)comm;
    (void)code;
    longjmp(place, 1);
}

int main(int argc, char** argv) {
    int level = MPI_THREAD_SINGLE;
    volatile int jumps = 0;
    MPI_Errhandler handler;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    MPI_Comm_create_errhandler(jump, &handler);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, handler);
    while (jumps < 3)
        if (setjmp(place) == 0)
            MPI_Comm_call_errhandler(MPI_COMM_SELF, MPI_ERR_OTHER);
        else
            jumps++;
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_ARE_FATAL);
    MPI_Errhandler_free(&handler);
    return finish();
}
