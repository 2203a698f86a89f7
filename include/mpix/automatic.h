/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Plain collectives on plans, MPI_Allreduce and its like: which communicators have them run so. A
 * program that calls none of this says it with the variable MPIX_AUTO. For C and C++; mpix.h includes
 * it. */
#ifndef MPIX_AUTOMATIC_H
#define MPIX_AUTOMATIC_H

#include <mpix/library.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Has the plain collectives on a communicator run on plans when they repeat, or no more: from the next
 * call on, in place of what MPIX_AUTO says, for this communicator and for what MPI_Comm_dup and its
 * like make of it. Plans that it has are kept.
 *   comm  every rank of it calls this, between the same two collectives, with the same flag
 *   flag  0, or another number: all that MPIX_AUTO=1 names
 * On an intercommunicator, and where there is one rank, it changes nothing. Collective, though nothing
 * is sent and nobody waits; no other thread may use the communicator meanwhile. Errors, raised through
 * the communicator: COMM, NO_MEM, and those of the host. */
MPIX_EXPORT int MPIX_Auto_set(MPI_Comm comm, int flag);

/* Whether any plain collectives on a communicator may run on plans, and how many plans it has for them
 * now, which a program seldom needs to know. Either pointer may be null. Local. Errors, raised through
 * the communicator: COMM, NO_MEM, and those of the host. */
MPIX_EXPORT int MPIX_Auto_get(MPI_Comm comm, int* flag, int* plans);

#ifdef __cplusplus
}
#endif

#endif
