/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the library tells of itself, and what it does with its requests of every kind, for C and C++:
 * names that no MPI has. mpix.h includes it. */
#ifndef MPIX_LIBRARY_H
#define MPIX_LIBRARY_H

#include <mpi.h>

#define MPIX_VERSION "0.1.0"
#define MPIX_VERSION_MAJOR 0
#define MPIX_VERSION_MINOR 1
#define MPIX_VERSION_PATCH 0

#define MPIX_EXPORT __attribute__((visibility("default")))

#ifdef __cplusplus
extern "C" {
#endif

/* What the library is and can do here, as lines of text that mpix-info prints: version, host,
 * capabilities, variables, info keys, solvers. Outside MPI_Init and MPI_Finalize it lacks what MPI
 * alone knows. The text lasts until the process ends; a null pointer if there is no memory for it.
 * Local, any thread; nothing is forked. No errors. */
MPIX_EXPORT const char* MPIX_Describe(void);

/* What made the plan of a request: a solver, or "delegate" where the host runs it; a null pointer for
 * a request that has no plan of this library, or not yet. Local, any thread. No errors. */
MPIX_EXPORT const char* MPIX_Plan_name(MPI_Request request);

/* Binds an inactive request to other buffers, with the counts, displacements and datatypes that it
 * has; nothing is planned again. The next Start is the first that uses them, and the old ones are
 * the program's again. Each rank may rebind when it likes, and only where it likes: nobody else has
 * to know.
 *   request  a persistent collective, a partitioned operation, point-to-point or collective, or an
 *            end of a channel, also before its other end is known; alone or a member of bundles
 *   sendbuf  in place of the buffer that is sent from. A channel's slots move with it, and the next
 *            start uses the slot that it would have used
 *   recvbuf  in place of the buffer that is received into. On every rank the one buffer of a
 *            broadcast, which is sendbuf if recvbuf is null
 * A buffer that the request does not have on this rank is ignored. MPI_IN_PLACE stands where it
 * stood at the init, and nowhere else. A send buffer of MPI_Alloc_mem that other ranks load from
 * may be replaced by any other; if that is not of MPI_Alloc_mem too each of its messages is copied
 * once more. After an error the request is bound as it was.
 * Local, any thread, as a use of the request. Persistence Working Group of the MPI Forum, May 2011,
 * miscellaneous note 1, and addendum 5. Errors, raised through the communicator of the request, or
 * MPI_COMM_WORLD if it is none of these: REQUEST (null, the host's own, sends and receives of
 * MPI_Send_init and its kin too, a bundle, a generalized request, a request for one partition, one
 * that is active, being bound, or a member of an active bundle), BUFFER (MPI_IN_PLACE for an
 * address, or the reverse; memory of a device for what the host does not run), NO_MEM,
 * and those of the host. */
MPIX_EXPORT int MPIX_Request_rebind(MPI_Request request, const void* sendbuf, void* recvbuf);

#ifdef __cplusplus
}
#endif

#endif
