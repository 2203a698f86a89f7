/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Persistent sends and receives of more elements than an int can count, where the host's mpi.h does
 * not declare them: before MPI 4. For C and C++; mpix.h includes it. */
#ifndef MPIX_LARGE_COUNTS_H
#define MPIX_LARGE_COUNTS_H

#include <mpix/library.h>

#ifdef __cplusplus
extern "C" {
#endif

#if MPI_VERSION < 4

/* Binds a send or a receive whose count may be beyond int.
 *   buf      count elements of datatype
 * Otherwise as the forms without _c, which every host has. Local; the host runs the request, and
 * any send matches any receive. A status counts elements of datatype with MPI_Get_elements_x where
 * MPI_Get_count has no int for them.
 * 3.9. Errors: those of the host; COUNT. */
MPIX_EXPORT int MPI_Send_init_c(const void* buf, MPI_Count count, MPI_Datatype datatype, int dest,
                                int tag, MPI_Comm comm, MPI_Request* request);
MPIX_EXPORT int MPI_Bsend_init_c(const void* buf, MPI_Count count, MPI_Datatype datatype, int dest,
                                 int tag, MPI_Comm comm, MPI_Request* request);
MPIX_EXPORT int MPI_Ssend_init_c(const void* buf, MPI_Count count, MPI_Datatype datatype, int dest,
                                 int tag, MPI_Comm comm, MPI_Request* request);
MPIX_EXPORT int MPI_Rsend_init_c(const void* buf, MPI_Count count, MPI_Datatype datatype, int dest,
                                 int tag, MPI_Comm comm, MPI_Request* request);
MPIX_EXPORT int MPI_Recv_init_c(void* buf, MPI_Count count, MPI_Datatype datatype, int source,
                                int tag, MPI_Comm comm, MPI_Request* request);

#endif /* MPI_VERSION < 4 */

#ifdef __cplusplus
}
#endif

#endif
