/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Partitioned communication, for C and C++: operations whose buffers are handed over, and arrive,
 * part by part. mpix.h includes it.
 *
 * Here stand the point-to-point operations of MPI 4 where the host's mpi.h lacks them, and the
 * calls on partitioned requests of every kind; partitioned_collectives.h, which it includes, has
 * the inits of the collectives. A name MPI_x is also PMPI_x, a name MPIX_x also PMPIX_x.
 *
 * Sources: MPI 4.1, chapter 4 (a section in digits below), and D. Holmes and others, "Partitioned
 * Collective Communication", ExaMPI 2021 (a section in Roman numerals, or a figure). What mpix.h
 * says of Request, Arguments, Units, In place and Errors holds here too. Beyond that:
 *
 * Partitions. A segment is the part of a buffer that belongs to one peer; a buffer that is not
 *   divided among peers is one segment. A segment has "partitions" partitions, 1 or more, of
 *   "count" consecutive elements each: partition k begins k * count extents into the segment.
 *   Counts are per partition everywhere, those in arrays too. The two ends may divide the same
 *   bytes differently where a comment does not forbid it. A partition of the receiver has arrived
 *   when every byte of it has. A segment without data is one empty message: its partitions arrive
 *   when all of the sender's are marked.
 * Numbers. A linear number counts through the segments of a side in their order: partition k of
 *   segment i is the number of partitions in segments 0 to i - 1, plus k. The calls without
 *   "extended" take it. The extended ones take k and dest or source, which is the i of the segment:
 *   a rank of comm, but in a neighbourhood the position in the list of neighbours, where a rank may
 *   stand twice. MPIX_ALL_DESTS and MPIX_ALL_SOURCES mean partition k of every segment; a side that
 *   is one segment takes them, or the peer or root that it has.
 * Marking. In each round, from Start to completion, every partition of the send side is marked
 *   once, in any order. Until then the program may write it, from then to completion not. What is
 *   marked travels while the rest is not. Marking never waits. The partitions of segments for
 *   MPI_PROC_NULL have numbers and are marked as all others; those of a Psend_init to it may be
 *   marked more than once.
 * Asking. Partitions of the receive side are asked for in a round, any number of times; the answer
 *   stays true once it is. Asking never waits and moves all active operations. An arrived partition
 *   may be read, and not written before completion. What comes from MPI_PROC_NULL has arrived at
 *   Start.
 * Completion. Wait and its kin wait for the marks that are missing, Test does not; to have seen
 *   every partition arrive does not replace them. Only an inactive request may be freed.
 * Threads. A partition may be marked by any thread, at every thread level, by many threads of one
 *   request at once, and while another waits for the request; the program sees to it that Start
 *   has returned before. If the thread may not call MPI, the next call that moves operations acts
 *   on the mark. All other calls: any thread that may call MPI.
 * Errors. They are raised through the error handler of the communicator of the request, or of
 *   MPI_COMM_WORLD for a null one, and leave the request usable. Classes of the calls below:
 *     REQUEST   the request is not partitioned or has no such side; it is null or inactive, unless
 *               it is asked
 *     ARG       a partition out of range or marked twice, low > high, a negative length, an array
 *               or output that is null
 *     RANK      dest or source is none of the operation's
 *   An init on memory of a device is BUFFER, of a collective on all ranks.
 *   MPI_Start of an active request, free of one and MPI_Cancel of any are REQUEST, as mpix.h says.
 * Info. Inits, point-to-point too, take mpix_min_message_bytes, the least that is worth a message
 *   of its own, and mpix_max_messages, the most for one segment: neighbouring partitions that are
 *   finer travel together, as soon as all of those are marked; once the sender waits, tests, asks or
 *   blocks in a call, what is marked goes ahead of what is not. The keys of the collectives stand in
 *   partitioned_collectives.h, the others in mpix-info.
 */
#ifndef MPIX_PARTITIONED_H
#define MPIX_PARTITIONED_H

#include <mpi.h>

#include <mpix/library.h>
#include <mpix/partitioned_collectives.h>

/* In place of dest or source: every segment. No host gives a rank these values. */
#define MPIX_ALL_DESTS (-7001)
#define MPIX_ALL_SOURCES (-7002)

#ifdef __cplusplus
extern "C" {
#endif

#if MPI_VERSION < 4

/* ---- Point-to-point ---- */

/* Binds a partitioned send to one rank.
 *   buf      partitions * count elements, one segment; the caller marks
 * dest may be the caller itself, or MPI_PROC_NULL; on an intercommunicator it is a rank of the
 * remote group. Sends match Precv_inits, and nothing else, once: in the order of their inits for
 * one pair of ranks, comm and tag. Local: it waits for nobody.
 * 4.2.1. Errors: COMM, RANK, TAG, ARG (partitions < 1), COUNT, TYPE, BUFFER, NO_MEM. */
MPIX_EXPORT int MPI_Psend_init(const void* buf, int partitions, MPI_Count count,
                               MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
                               MPI_Info info, MPI_Request* request);

/* Binds a partitioned receive from one rank.
 *   buf      partitions * count elements, one segment; the caller asks
 * source is as dest of MPI_Psend_init, and never MPI_ANY_SOURCE; tag is never MPI_ANY_TAG. The
 * partitions may be others than the sender's. The status of the completed receive is that of a
 * message of all elements. Local: it waits for nobody.
 * 4.2.1. Errors: COMM, RANK, TAG, ARG (partitions < 1), COUNT, TYPE, BUFFER, NO_MEM; at completion
 * TRUNCATE if the sender has another number of bytes. */
MPIX_EXPORT int MPI_Precv_init(void* buf, int partitions, MPI_Count count, MPI_Datatype datatype,
                               int source, int tag, MPI_Comm comm, MPI_Info info,
                               MPI_Request* request);

/* ---- Marking and asking by linear number, for all partitioned requests ---- */

/* Marks one partition of the send side. Local, any thread at every thread level.
 * 4.2.1. Errors: REQUEST, ARG. */
MPIX_EXPORT int MPI_Pready(int partition, MPI_Request request);

/* Marks partitions low to high, both included. Local, any thread at every thread level.
 * 4.2.1. Errors: REQUEST, ARG. */
MPIX_EXPORT int MPI_Pready_range(int low, int high, MPI_Request request);

/* Marks the partitions of a list of length numbers. Local, any thread at every thread level.
 * The mpi.h of MPICH 4.0 and of Open MPI 5 forget the const. 4.2.1. Errors: REQUEST, ARG. */
#if !defined(OMPI_MAJOR_VERSION) || OMPI_MAJOR_VERSION < 5
MPIX_EXPORT int MPI_Pready_list(int length, const int partitions[], MPI_Request request);
#endif

/* Whether one partition of the receive side has arrived. Of an inactive or a null request it has.
 * Local. 4.2.2. Errors: REQUEST, ARG. */
MPIX_EXPORT int MPI_Parrived(MPI_Request request, int partition, int* flag);

#endif /* MPI_VERSION < 4 */

/* ---- The same by segment: Figure 3 ---- */

/* Marks a partition of one segment or of all.
 *   partition  its number within the segment
 *   dest       whose segment it is; MPIX_ALL_DESTS: of every segment
 * Local, any thread at every thread level. VI.A. Errors: REQUEST, ARG, RANK. */
MPIX_EXPORT int MPIX_Pready_extended(int partition, int dest, MPI_Request* request);

/* Marks a range of partitions of one segment or of all.
 *   partition_low, partition_high  their numbers within the segment, both included
 *   dest                           whose segment it is; MPIX_ALL_DESTS: of every segment
 * Local, any thread at every thread level. VI.A. Errors: REQUEST, ARG, RANK. */
MPIX_EXPORT int MPIX_Pready_range_extended(int partition_low, int partition_high, int dest,
                                           MPI_Request* request);

/* Marks a list of partitions of one segment or of all.
 *   partitions  length numbers within the segment
 *   dest        whose segment it is; MPIX_ALL_DESTS: of every segment
 * Local, any thread at every thread level. VI.A. Errors: REQUEST, ARG, RANK. */
MPIX_EXPORT int MPIX_Pready_list_extended(int length, const int partitions[], int dest,
                                          MPI_Request* request);

/* Whether a partition of one segment or of all has arrived.
 *   partition  its number within the segment
 *   source     whose segment it is; MPIX_ALL_SOURCES: of every segment
 * Of an inactive or a null request it has. Local. VI.A. Errors: REQUEST, ARG, RANK. */
MPIX_EXPORT int MPIX_Parrived_extended(MPI_Request* request, int partition, int source, int* flag);

/* ---- Ready receivers ---- */

/* Waits until every buffer that this process will write into in this round has been started.
 * It is called after Start and before the first mark, by all ranks of the operation (both ends of a
 * point-to-point one) or by none. What is marked then finds its receiver waiting. It is never
 * needed for a right answer. Collective over those ranks, it may block; active operations move
 * meanwhile. VI.B. Errors: REQUEST. */
MPIX_EXPORT int MPIX_Pbuf_prepare(MPI_Request request);

/* MPIX_Pbuf_prepare of count requests at once, of any kinds and in any order.
 *   requests  count active partitioned requests
 * VI.B. Errors: REQUEST, ARG. */
MPIX_EXPORT int MPIX_Pbuf_prepareall(int count, MPI_Request requests[]);

/* ---- Several partitions, and a request for one: beyond the paper ---- */

/* Whether any partition of a list has arrived.
 *   partitions  count linear numbers
 * If one has, flag is true and index is the place in the list of the first that has; if none has,
 * flag is false and index is MPI_UNDEFINED. What has arrived is found again the next time: the
 * program takes it off the list. Of an inactive or a null request all have.
 * Local. After mpi-forum/mpi-issues 537. Errors: REQUEST, ARG. */
MPIX_EXPORT int MPIX_Parrived_any(MPI_Request request, int count, const int partitions[],
                                  int* index, int* flag);

/* Which partitions of a list have arrived.
 *   partitions  count linear numbers
 *   indices     room for count; the first outcount are written, places in the list, ascending
 * What has arrived is found again the next time. Of an inactive or a null request all have.
 * Local. After mpi-forum/mpi-issues 537. Errors: REQUEST, ARG. */
MPIX_EXPORT int MPIX_Parrived_some(MPI_Request request, int count, const int partitions[],
                                   int* outcount, int indices[]);

/* Makes a request for one partition of the receive side, by its linear number.
 * It is active in each round of the operation, also in one that is under way when it is made; Start
 * of it is an error. The Wait and Test families complete it once the partition has arrived, in one
 * array with any other requests, with an empty status, and complete nothing else: the operation
 * needs its own Wait. If nobody completed it, the next Start of the operation makes it one of that
 * round. MPI_Request_free takes it at any time, active or not, before the operation's or after.
 * Local. Source: the library's own. Errors: REQUEST, ARG. */
MPIX_EXPORT int MPIX_Partition_request(MPI_Request request, int partition,
                                       MPI_Request* partition_request);

#ifdef __cplusplus
}
#endif

#endif
