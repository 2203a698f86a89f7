/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Bound channels and slack channels, for C and C++: a send and a receive that have found each other
 * once, for all their messages. mpix.h includes it.
 *
 * Sources: A. Skjellum, Persistence Working Group of the MPI Forum, 9 May 2011, proposals 1 and 3
 * (P1, P3); mpi-forum/mpi-issues #88. What mpix.h says of Request, Units and Errors holds here too;
 * docs/channels.md has the rules with examples, and what differs from the document. In short:
 *
 * Ends. A channel has a sender and a receiver, each a persistent request on its process. It is made
 *   of an MPI_Send_init, Bsend_init, Ssend_init or Rsend_init (_c too) there and an MPI_Recv_init
 *   here. Those stay as they are, to be started, bound again or freed.
 * Matching. Binds meet as the messages of the two requests would: by communicator, source and tag,
 *   wildcards too, each receive with the first send that it matches, in the order of the binds. The
 *   status of every receive through the channel names the partner. Channels have a matching space
 *   of their own: no message of the program is ever taken by one, nor the other way round.
 * Use. MPI_Start, MPI_Startall and all completion calls, each end by itself. The send buffer belongs
 *   to the channel from Start to completion, the receive buffer too.
 * Ready. A sender starts when its receiver has started: the program sees to it. Within a node and
 *   over the host nothing is lost if it does not, the data wait; with MPIX_CHECK=1 the receive then
 *   completes with OTHER, its data there, if it is no member of a bundle: those start all at once. A
 *   channel of Ssend_init needs no such order, and its send completes when its data are taken.
 * Slackness. K starts may be made at each end before the first of them is completed. Each completion
 *   is that of the oldest. One start more is an error. Both ends have the same K; 1 where a call
 *   does not take it.
 * Info. ADDRESS_BASE_INCREMENT, a number of elements that may be negative: the k-th start of K uses
 *   the buffer that many elements times k from where the request has it; then they begin again, and
 *   go on from slot to slot as long as the channel lives. The two ends may have different ones;
 *   without it all starts use one buffer. mpix_split_merge=true,
 *   at both ends: the blocks may have different sizes, and slackness too; the bytes of the sender's
 *   blocks fill the receiver's one after the other. mpix_transport=host: not over shared memory.
 * Threads. Any thread that may call MPI.
 * Errors. They are raised through the communicator of the (first) request, of MPI_COMM_WORLD where a
 *   channel is unbound: REQUEST (no persistent
 *   send or receive of point-to-point; active; a channel's end already; twice in one call), ARG
 *   (slackness < 1, or that of the two ends differs; a null array), COUNT (n < 0; blocks that cannot
 *   be split), INFO_VALUE (ADDRESS_BASE_INCREMENT is no number), INFO (mpix_split_merge at one end
 *   alone), TRUNCATE (the sender's block is larger), TYPE (it ends within an element of the
 *   receiver's), COMM (the communicator was freed), BUFFER (memory of a device),
 *   UNSUPPORTED_OPERATION (its processes did not begin together), NO_MEM. Those that concern both
 *   ends are raised at both. MPI_Request_free and MPI_Cancel of a channel are REQUEST.
 */
#ifndef MPIX_CHANNELS_H
#define MPIX_CHANNELS_H

#include <mpi.h>

#include <mpix/library.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Binds `in`, an inactive persistent send or receive, to a channel: *out is this process's end.
 * Collective over the two processes of the channel; it waits for the other one. Active operations
 * move meanwhile. P1. */
MPIX_EXPORT int MPIX_Bind_channel(MPI_Request in, MPI_Request* out, MPI_Info info);

/* Binds n requests, on any communicators; info has n handles, or is null. The other ends may be
 * bound in another order, in other calls and by other processes. It waits for all. If some cannot
 * be bound their out[i] is MPI_REQUEST_NULL, and the first error is raised. P1. */
MPIX_EXPORT int MPIX_Bind_channels(const MPI_Request in[], MPI_Request out[], int n,
                                   const MPI_Info info[]);

/* The same without waiting: a completion call on `in` completes the bind, writes *out, and gives a
 * status with the partner of a receive. Until then `in` can neither be started nor freed, and out
 * has to stay where it is. An error is that of the completion call; *out is not written then. P1. */
MPIX_EXPORT int MPIX_Ibind_channel(MPI_Request in, MPI_Request* out, MPI_Info info);
MPIX_EXPORT int MPIX_Ibind_channels(const MPI_Request in[], MPI_Request out[], int n,
                                    const MPI_Info info[]);

/* The same with slackness, of 1 or more. P3. */
MPIX_EXPORT int MPIX_Bind_slack_channel(MPI_Request in, MPI_Request* out, int slackness,
                                        MPI_Info info);
MPIX_EXPORT int MPIX_Bind_slack_channels(const MPI_Request in[], MPI_Request out[], int n,
                                         const int slackness[], const MPI_Info info[]);
MPIX_EXPORT int MPIX_Ibind_slack_channel(MPI_Request in, MPI_Request* out, int slackness,
                                         MPI_Info info);
MPIX_EXPORT int MPIX_Ibind_slack_channels(const MPI_Request in[], MPI_Request out[], int n,
                                          const int slackness[], const MPI_Info info[]);

/* Ends channels that are inactive, and sets their handles to MPI_REQUEST_NULL. Both ends of each are
 * unbound, in any order; those that were bound together need not be unbound together. It does not
 * wait for the other end, which may be used no more. P1. Errors: REQUEST (no channel, or an active
 * one: then none is ended), COUNT (n < 0), ARG (the array is null). */
MPIX_EXPORT int MPIX_Unbind_channel(MPI_Request* request);
MPIX_EXPORT int MPIX_Unbind_channels(MPI_Request requests[], int n);

/* The same, done when a completion call on each handle has set it to MPI_REQUEST_NULL. P1. */
MPIX_EXPORT int MPIX_Iunbind_channel(MPI_Request request, MPI_Info info);
MPIX_EXPORT int MPIX_Iunbind_channels(MPI_Request requests[], int n);

/* One end of a channel, from the arguments of MPI_Send_init and MPI_Recv_init. Local: the partner,
 * bound in any of the ways above, is found meanwhile, and a completion waits for it. What is wrong
 * between the two ends is an error of every completion. mpi-forum/mpi-issues #88. Errors of the
 * arguments: COMM (null), RANK, TAG, COUNT (negative), TYPE (null, or not committed), ARG (request
 * is null). */
MPIX_EXPORT int MPIX_Send_channel_init(const void* buf, MPI_Count count, MPI_Datatype datatype,
                                       int dest, int tag, MPI_Comm comm, MPI_Info info,
                                       MPI_Request* request);
MPIX_EXPORT int MPIX_Recv_channel_init(void* buf, MPI_Count count, MPI_Datatype datatype,
                                       int source, int tag, MPI_Comm comm, MPI_Info info,
                                       MPI_Request* request);

#ifdef __cplusplus
}
#endif

#endif
