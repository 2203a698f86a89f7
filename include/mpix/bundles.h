/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Bundles and persistent generalized requests, for C and C++: persistent requests made of others,
 * and of functions of the program. mpix.h includes it. A name MPIX_x is also PMPIX_x.
 *
 * Source: the MPI Forum's persistence working group, document of May 2011, proposal 4 and item 6 of
 * its addendum, which name both and define neither. What mpix.h says of Request, Calls and Threads
 * holds here too. Beyond that:
 *
 * Members. A bundle starts and completes its members. These stay requests of the program. While no
 *   bundle that has it is active a member may be started and completed by itself. A bundle is
 *   active from its Start to its completion, and so are its members: until then none may be
 *   started, and a completion call on one does not replace that on the bundle. A request may be a
 *   member of several bundles. It is freed after them.
 * Partitions. Those of a member are marked and asked for on the member's own handle from the Start
 *   of the bundle on, also if the member has to wait for others.
 * Status. That of a bundle is empty.
 * Errors. They are raised through the error handler of MPI_COMM_WORLD; the string names argument
 *   and value, and in a completion call is that of the first member that failed. The others
 *   complete all the same. Classes:
 *     REQUEST  a request that cannot be a member, is active, or is no bundle; Start of a bundle with
 *              a member that is active: nothing is started then; free of a member of a bundle
 *     ARG      a number that is out of range, a null pointer, an order that would be a circle
 */
#ifndef MPIX_BUNDLES_H
#define MPIX_BUNDLES_H

#include <mpi.h>

#include <mpix/library.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Makes one persistent request of n persistent requests.
 *   requests  n inactive persistent requests, all different: sends and receives of MPI_Send_init
 *             and its kin, channels, collectives, partitioned operations, bundles, generalized
 *             requests. They may be on different communicators. The array may change or go after
 *             the call
 * Start begins all members, in their order unless MPIX_Bundle_after says otherwise; the bundle
 * completes when all have. n may be 0. No key of info has a meaning yet. MPI_Request_free of an
 * inactive bundle leaves its members as they are.
 * Local, any thread. Proposal 4. Errors: REQUEST, ARG, NO_MEM, and those of the host. */
MPIX_EXPORT int MPIX_Bundle_init(int n, const MPI_Request requests[], MPI_Info info,
                                 MPI_Request* bundle);

/* From now on a member of a bundle starts only when another has completed on this process.
 *   later, earlier  numbers of members, from 0, in the order of MPIX_Bundle_init
 * A member may wait for several, and several for one. The bundle is inactive; after an error it
 * stays as it was.
 * Local, any thread. Proposal 4. Errors: REQUEST, ARG, NO_MEM. */
MPIX_EXPORT int MPIX_Bundle_after(MPI_Request bundle, int later, int earlier);

/* Begins a round of a generalized request. Returns MPI_SUCCESS or an error code. */
typedef int MPIX_Pgrequest_start_function(void* extra_state);

/* Sets *flag to true if the round is done; it is false before. Returns MPI_SUCCESS or an error
 * code. */
typedef int MPIX_Pgrequest_poll_function(void* extra_state, int* flag);

/* Makes a persistent request of functions of the program.
 *   start_fn   called once in each round: by MPI_Start, or in a bundle when its turn has come
 *   poll_fn    called again and again after that, until it sets its flag
 *   query_fn   called once after that, with an empty status to fill: that of the round
 *   free_fn    called by MPI_Request_free; not at MPI_Finalize
 *   cancel_fn  called by MPI_Cancel between Start and completion, with whether poll_fn has set its
 *              flag. The request has to be completed all the same
 * All get extra_state. The last three may be null; without cancel_fn MPI_Cancel is an error. An
 * error code that one returns completes the round and is raised by the call that completes the
 * request; that of free_fn is raised by MPI_Request_free, which frees the request.
 * poll_fn and query_fn, and in a bundle start_fn, are called within any call that moves active
 * operations, hence by any thread that is in one, or by the library's own; never two at the same
 * time. All functions may call MPI, also on requests of the library, and throw nothing. They should
 * not wait: nothing else of the library's moves but in the calls they make.
 * Local, any thread. Addendum 6. Errors: ARG, NO_MEM; UNSUPPORTED_OPERATION in a program of
 * sessions that has made no persistent operation on a communicator before. */
MPIX_EXPORT int MPIX_Pgrequest_init(MPIX_Pgrequest_start_function* start_fn,
                                    MPIX_Pgrequest_poll_function* poll_fn,
                                    MPI_Grequest_query_function* query_fn,
                                    MPI_Grequest_free_function* free_fn,
                                    MPI_Grequest_cancel_function* cancel_fn, void* extra_state,
                                    MPI_Request* request);

#ifdef __cplusplus
}
#endif

#endif
