/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The inits of partitioned collectives, for C and C++. partitioned.h includes it, has the calls on
 * their requests, and says first what partitions, segments, numbers, marking and asking are.
 *
 * Source: D. Holmes and others, "Partitioned Collective Communication", ExaMPI 2021, Figure 1, with
 * its signatures, and sections IV, V and VIII; each operation moves the data of the unpartitioned
 * one, in the section of MPI 4.1 that its comment names. What mpix.h says of collectives and their
 * errors holds. Beyond that:
 *
 * Comments. n, i, "everywhere" and "matters at root" are as in mpix.h. "Marks" says which ranks
 *   have a send side, and its partitions; "asks" does so for the receive side. A segment of a rank
 *   for itself is marked and asked for like any other.
 * Totals. "Same bytes" is what must agree between two ends: partitions times count times the size
 *   of the datatype. Partitions alone may differ, between ends and between ranks, unless the
 *   comment says otherwise.
 * In place. MPI_IN_PLACE is taken as in the unpartitioned call. The partitions argument of that
 *   buffer is then not significant either: the side has those of the other buffer's segment (or
 *   segments) that it stands for. In neighbourhoods: no.
 * Reductions. The vectors are combined in pieces as fine as the greatest common divisor of the
 *   partition counts involved; a piece starts when its partitions are marked on all ranks that
 *   contribute. A segment without data is one piece. Ops that do not commute are applied in the
 *   order of ranks.
 * Arrays. Of partitions, counts, displacements and datatypes: copied, as in mpix.h. Displacements
 *   are in extents of the datatype, in the w forms in bytes. They place segments, not partitions.
 * Calls. Inits are collective over comm, which is an intracommunicator. They may block.
 * Errors. Those of mpix.h's classes that a comment lists, and in every init also COMM (comm is null
 *   or an intercommunicator), ARG (partitions < 1, request or an array is null), OTHER, INFO and
 *   NO_MEM. COUNT: what is said to be the same is not; all ranks get it, and it names two of them.
 * Info. Assertions about partitions, "true" or "false", alike on all ranks. They let init leave out
 *   an exchange that would tell the ranks so; one that is false is an error (COUNT) at init under
 *   MPIX_CHECK=1, and undefined behaviour otherwise. Operations they are not for ignore them.
 *     MPIX_PBCAST_ROOT_PART_UNKNOWN        Pbcast: the others are not told root's partitions (V.A)
 *     MPIX_PBCAST_LEAVES_ALL_PART_SAME     Pbcast: one number on all ranks but root (V.A)
 *     MPIX_EACH_PARTITION_PAIR_SAME        alltoalls, neighbourhoods: the two ends of each transfer
 *                                          have the same number (V.D)
 *     MPIX_ALL_SEND_PARTITIONS_SAME        the same: one number in all segments sent, on all ranks
 *     MPIX_ALL_RECV_PARTITIONS_SAME        the same: one number in all segments received
 *     MPIX_PREDUCE_ROOT_PART_UNKNOWN       Preduce: as for Pbcast
 *     MPIX_PREDUCE_NONROOT_ALL_PART_SAME   Preduce: as for Pbcast
 */
#ifndef MPIX_PARTITIONED_COLLECTIVES_H
#define MPIX_PARTITIONED_COLLECTIVES_H

#include <mpi.h>

#include <mpix/library.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- From one rank or to one rank ---- */

/* Copies the buffer of root to the buffers of the other ranks.
 *   buf      partitions * count elements, one segment; read at root, written elsewhere
 * Marks: root. Asks: the others. Same root and same bytes everywhere. In place: no.
 * V.A, as 6.4. Errors: ROOT, COUNT, TYPE, BUFFER. */
MPIX_EXPORT int MPIX_Pbcast_init(void* buf, int partitions, MPI_Count count, MPI_Datatype datatype,
                                 int root, MPI_Comm comm, MPI_Info info, MPI_Request* request);

/* Collects a segment of every rank at root, in the order of ranks.
 *   sendbuf  sendparts * sendcount elements, one segment, everywhere
 *   recvbuf  n consecutive segments of recvparts * recvcount elements, segment i from rank i;
 *            matters at root
 * Marks: every rank, its sendparts. Asks: root, recvparts for each source.
 * Same root everywhere; same bytes in each segment. In place: sendbuf at root.
 * V.B, as 6.5. Errors: ROOT, COUNT, TYPE, BUFFER. */
MPIX_EXPORT int MPIX_Pgather_init(const void* sendbuf, int sendparts, MPI_Count sendcount,
                                  MPI_Datatype sendtype, void* recvbuf, int recvparts,
                                  MPI_Count recvcount, MPI_Datatype recvtype, int root,
                                  MPI_Comm comm, MPI_Info info, MPI_Request* request);

/* Pgather with segments of different sizes and places.
 *   sendbuf  sendparts * sendcount elements, one segment, everywhere
 *   recvbuf  n segments, segment i of recvparts[i] * recvcounts[i] elements at displs[i]; matters
 *            at root
 * Marks: every rank, its sendparts. Asks: root, recvparts[i] for source i.
 * Same root everywhere; what rank i sends has the bytes of segment i. In place: sendbuf at root.
 * V.B, as 6.5. Errors: ROOT, COUNT, TYPE, BUFFER. */
MPIX_EXPORT int MPIX_Pgatherv_init(const void* sendbuf, int sendparts, MPI_Count sendcount,
                                   MPI_Datatype sendtype, void* recvbuf, const int recvparts[],
                                   const MPI_Count recvcounts[], const MPI_Aint displs[],
                                   MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Info info,
                                   MPI_Request* request);

/* Hands out the segments of root's buffer, segment i to rank i.
 *   sendbuf  n consecutive segments of sendparts * sendcount elements; matters at root
 *   recvbuf  recvparts * recvcount elements, one segment, everywhere
 * Marks: root, sendparts for each dest. Asks: every rank, its recvparts.
 * Same root everywhere; same bytes in each segment. In place: recvbuf at root.
 * V.A, as 6.6. Errors: ROOT, COUNT, TYPE, BUFFER. */
MPIX_EXPORT int MPIX_Pscatter_init(const void* sendbuf, int sendparts, MPI_Count sendcount,
                                   MPI_Datatype sendtype, void* recvbuf, int recvparts,
                                   MPI_Count recvcount, MPI_Datatype recvtype, int root,
                                   MPI_Comm comm, MPI_Info info, MPI_Request* request);

/* Pscatter with segments of different sizes and places.
 *   sendbuf  n segments, segment i of sendparts[i] * sendcounts[i] elements at displs[i]; matters
 *            at root
 *   recvbuf  recvparts * recvcount elements, one segment, everywhere
 * Marks: root, sendparts[i] for dest i. Asks: every rank, its recvparts.
 * Same root everywhere; segment i has the bytes that rank i receives. In place: recvbuf at root.
 * V.A, as 6.6. Errors: ROOT, COUNT, TYPE, BUFFER. */
MPIX_EXPORT int MPIX_Pscatterv_init(const void* sendbuf, const int sendparts[],
                                    const MPI_Count sendcounts[], const MPI_Aint displs[],
                                    MPI_Datatype sendtype, void* recvbuf, int recvparts,
                                    MPI_Count recvcount, MPI_Datatype recvtype, int root,
                                    MPI_Comm comm, MPI_Info info, MPI_Request* request);

/* Pscatterv with a datatype for each segment; MPI has no unpartitioned form.
 *   sendbuf  n segments, segment i of sendparts[i] * sendcounts[i] elements of sendtypes[i],
 *            sdispls[i] bytes in; matters at root
 *   recvbuf  recvparts * recvcount elements, one segment, everywhere
 * Marks: root, sendparts[i] for dest i. Asks: every rank, its recvparts.
 * Same root everywhere; segment i has the bytes that rank i receives. In place: recvbuf at root.
 * VIII. Errors: ROOT, COUNT, TYPE, BUFFER. */
MPIX_EXPORT int MPIX_Pscatterw_init(const void* sendbuf, const int sendparts[],
                                    const MPI_Count sendcounts[], const MPI_Aint sdispls[],
                                    const MPI_Datatype sendtypes[], void* recvbuf, int recvparts,
                                    MPI_Count recvcount, MPI_Datatype recvtype, int root,
                                    MPI_Comm comm, MPI_Info info, MPI_Request* request);

/* ---- From every rank to every rank ---- */

/* Collects a segment of every rank on all ranks, in the order of ranks.
 *   sendbuf  sendparts * sendcount elements, one segment, everywhere
 *   recvbuf  n consecutive segments of recvparts * recvcount elements, segment i from rank i,
 *            everywhere
 * Marks: every rank, its sendparts. Asks: every rank, recvparts for each source.
 * Same bytes everywhere. In place: sendbuf on all ranks.
 * IV, as 6.7. Errors: COUNT, TYPE, BUFFER. */
MPIX_EXPORT int MPIX_Pallgather_init(const void* sendbuf, int sendparts, MPI_Count sendcount,
                                     MPI_Datatype sendtype, void* recvbuf, int recvparts,
                                     MPI_Count recvcount, MPI_Datatype recvtype, MPI_Comm comm,
                                     MPI_Info info, MPI_Request* request);

/* Pallgather with segments of different sizes and places.
 *   sendbuf  sendparts * sendcount elements, one segment, everywhere
 *   recvbuf  n segments, segment i of recvparts[i] * recvcounts[i] elements at displs[i],
 *            everywhere
 * Marks: every rank, its sendparts. Asks: every rank, recvparts[i] for source i.
 * What rank i sends has the bytes of segment i on every rank. In place: sendbuf on all ranks.
 * IV, as 6.7. Errors: COUNT, TYPE, BUFFER. */
MPIX_EXPORT int MPIX_Pallgatherv_init(const void* sendbuf, int sendparts, MPI_Count sendcount,
                                      MPI_Datatype sendtype, void* recvbuf, const int recvparts[],
                                      const MPI_Count recvcounts[], const MPI_Aint displs[],
                                      MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info,
                                      MPI_Request* request);

/* Sends segment i of every rank to rank i. The paper also spells it MPIX_Palloall_init.
 *   sendbuf  n consecutive segments of sendparts * sendcount elements, everywhere
 *   recvbuf  n consecutive segments of recvparts * recvcount elements, segment i from rank i,
 *            everywhere
 * Marks: every rank, sendparts for each dest. Asks: every rank, recvparts for each source.
 * Same bytes everywhere. In place: sendbuf on all ranks; recvbuf's segments are sent and replaced.
 * V.D, as 6.8. Errors: COUNT, TYPE, BUFFER. */
MPIX_EXPORT int MPIX_Palltoall_init(const void* sendbuf, int sendparts, MPI_Count sendcount,
                                    MPI_Datatype sendtype, void* recvbuf, int recvparts,
                                    MPI_Count recvcount, MPI_Datatype recvtype, MPI_Comm comm,
                                    MPI_Info info, MPI_Request* request);

/* Palltoall with segments of different sizes and places.
 *   sendbuf  n segments, segment i of sendparts[i] * sendcounts[i] elements at sdispls[i],
 *            everywhere
 *   recvbuf  n segments, segment i of recvparts[i] * recvcounts[i] elements at rdispls[i],
 *            everywhere
 * Marks: every rank, sendparts[i] for dest i. Asks: every rank, recvparts[i] for source i.
 * What rank r sends to rank i has the bytes of segment r there. In place: sendbuf on all ranks.
 * V.D, as 6.8. Errors: COUNT, TYPE, BUFFER. */
MPIX_EXPORT int MPIX_Palltoallv_init(const void* sendbuf, const int sendparts[],
                                     const MPI_Count sendcounts[], const MPI_Aint sdispls[],
                                     MPI_Datatype sendtype, void* recvbuf, const int recvparts[],
                                     const MPI_Count recvcounts[], const MPI_Aint rdispls[],
                                     MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info,
                                     MPI_Request* request);

/* Palltoallv with a datatype for each segment.
 *   sendbuf  n segments, segment i of sendparts[i] * sendcounts[i] elements of sendtypes[i],
 *            sdispls[i] bytes in, everywhere
 *   recvbuf  n segments, segment i of recvparts[i] * recvcounts[i] elements of recvtypes[i],
 *            rdispls[i] bytes in, everywhere
 * Marks: every rank, sendparts[i] for dest i. Asks: every rank, recvparts[i] for source i.
 * What rank r sends to rank i has the bytes of segment r there. In place: sendbuf on all ranks.
 * V.D, as 6.8. Errors: COUNT, TYPE, BUFFER. */
MPIX_EXPORT int MPIX_Palltoallw_init(const void* sendbuf, const int sendparts[],
                                     const MPI_Count sendcounts[], const MPI_Aint sdispls[],
                                     const MPI_Datatype sendtypes[], void* recvbuf,
                                     const int recvparts[], const MPI_Count recvcounts[],
                                     const MPI_Aint rdispls[], const MPI_Datatype recvtypes[],
                                     MPI_Comm comm, MPI_Info info, MPI_Request* request);

/* The paper's spelling. */
#define MPIX_Palloall_init MPIX_Palltoall_init
#define MPIX_Palloallv_init MPIX_Palltoallv_init
#define MPIX_Palloallw_init MPIX_Palltoallw_init

/* ---- Reductions ---- */

/* Combines the vectors of all ranks, element by element, at root.
 *   sendbuf  partitions * count elements, one segment, everywhere
 *   recvbuf  partitions * count elements, one segment; matters at root
 * Marks: every rank, its partitions. Asks: root, its partitions; they have no source but
 * MPIX_ALL_SOURCES. Same root, op and bytes everywhere; all ranks but root have the same
 * partitions. In place: sendbuf at root.
 * V.B, as 6.9.1. Errors: ROOT, COUNT, TYPE, OP, BUFFER. */
MPIX_EXPORT int MPIX_Preduce_init(const void* sendbuf, void* recvbuf, int partitions,
                                  MPI_Count count, MPI_Datatype datatype, MPI_Op op, int root,
                                  MPI_Comm comm, MPI_Info info, MPI_Request* request);

/* Combines the vectors of all ranks, element by element, on all ranks.
 *   sendbuf, recvbuf  partitions * count elements, one segment, everywhere
 * Marks and asks: every rank, its partitions. Same op, partitions and count everywhere. In place:
 * sendbuf on all ranks.
 * V.C, as 6.9.6. Errors: COUNT, TYPE, OP, BUFFER. */
MPIX_EXPORT int MPIX_Pallreduce_init(const void* sendbuf, void* recvbuf, int partitions,
                                     MPI_Count count, MPI_Datatype datatype, MPI_Op op,
                                     MPI_Comm comm, MPI_Info info, MPI_Request* request);

/* Combines the vectors of all ranks and leaves segment i of the result on rank i.
 *   sendbuf  n consecutive segments of partitions * recvcount elements, everywhere
 *   recvbuf  partitions * recvcount elements, one segment, everywhere
 * Marks: every rank, partitions for each dest. Asks: every rank, its partitions. Same op,
 * partitions and recvcount everywhere. In place: sendbuf on all ranks; recvbuf then holds the n
 * segments.
 * V.B, as 6.10.1. Errors: COUNT, TYPE, OP, BUFFER. */
MPIX_EXPORT int MPIX_Preduce_scatter_block_init(const void* sendbuf, void* recvbuf, int partitions,
                                                MPI_Count recvcount, MPI_Datatype datatype,
                                                MPI_Op op, MPI_Comm comm, MPI_Info info,
                                                MPI_Request* request);

/* Preduce_scatter_block with segments of different sizes.
 *   sendbuf  n consecutive segments, segment i of partitions[i] * recvcounts[i] elements,
 *            everywhere
 *   recvbuf  partitions[r] * recvcounts[r] elements on rank r, one segment
 * Marks: every rank, partitions[i] for dest i. Asks: rank r, its partitions[r]. Same op, partitions
 * and recvcounts everywhere. In place: sendbuf on all ranks; recvbuf then holds the n segments.
 * V.B, as 6.10.2. Errors: COUNT, TYPE, OP, BUFFER. */
MPIX_EXPORT int MPIX_Preduce_scatter_init(const void* sendbuf, void* recvbuf,
                                          const int partitions[], const MPI_Count recvcounts[],
                                          MPI_Datatype datatype, MPI_Op op, MPI_Comm comm,
                                          MPI_Info info, MPI_Request* request);

/* Combines on rank r the vectors of ranks 0 to r, element by element.
 *   sendbuf, recvbuf  partitions * count elements, one segment, everywhere
 * Marks and asks: every rank, its partitions. Same op, partitions and count everywhere. In place:
 * sendbuf on all ranks.
 * IV, as 6.11.1. Errors: COUNT, TYPE, OP, BUFFER. */
MPIX_EXPORT int MPIX_Pscan_init(const void* sendbuf, void* recvbuf, int partitions, MPI_Count count,
                                MPI_Datatype datatype, MPI_Op op, MPI_Comm comm, MPI_Info info,
                                MPI_Request* request);

/* Combines on rank r the vectors of ranks 0 to r - 1, element by element.
 *   sendbuf  partitions * count elements, one segment, everywhere
 *   recvbuf  partitions * count elements, one segment, everywhere; that of rank 0 is not touched
 * Marks and asks: every rank, its partitions; those of rank 0 have arrived at Start. Same op,
 * partitions and count everywhere. In place: sendbuf on all ranks.
 * IV, as 6.11.2. Errors: COUNT, TYPE, OP, BUFFER. */
MPIX_EXPORT int MPIX_Pexscan_init(const void* sendbuf, void* recvbuf, int partitions,
                                  MPI_Count count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm,
                                  MPI_Info info, MPI_Request* request);

/* ---- Neighbourhoods ----
 *
 * Segments are the blocks of mpix.h, in its order. In place: no. */

/* Sends one segment to all destinations and receives a segment from every source.
 *   sendbuf  sendparts * sendcount elements, one segment
 *   recvbuf  a segment of recvparts * recvcount elements for each source, consecutive
 * Marks: every rank, its sendparts, once for all destinations. Asks: every rank, recvparts for each
 * source. Same bytes at both ends of an edge.
 * V.D, as 8.6.1. Errors: COUNT, TYPE, BUFFER, TOPOLOGY. */
MPIX_EXPORT int MPIX_Pneighbor_allgather_init(const void* sendbuf, int sendparts,
                                              MPI_Count sendcount, MPI_Datatype sendtype,
                                              void* recvbuf, int recvparts, MPI_Count recvcount,
                                              MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info,
                                              MPI_Request* request);

/* Pneighbor_allgather with segments of different sizes and places.
 *   sendbuf  sendparts * sendcount elements, one segment
 *   recvbuf  a segment for each source i, of recvparts[i] * recvcounts[i] elements at displs[i]
 * Marks: every rank, its sendparts, once for all destinations. Asks: every rank, recvparts[i] for
 * source i. Same bytes at both ends of an edge.
 * V.D, as 8.6.1. Errors: COUNT, TYPE, BUFFER, TOPOLOGY. */
MPIX_EXPORT int MPIX_Pneighbor_allgatherv_init(const void* sendbuf, int sendparts,
                                               MPI_Count sendcount, MPI_Datatype sendtype,
                                               void* recvbuf, const int recvparts[],
                                               const MPI_Count recvcounts[],
                                               const MPI_Aint displs[], MPI_Datatype recvtype,
                                               MPI_Comm comm, MPI_Info info, MPI_Request* request);

/* Sends a segment to every destination and receives a segment from every source.
 *   sendbuf  a segment of sendparts * sendcount elements for each destination, consecutive
 *   recvbuf  a segment of recvparts * recvcount elements for each source, consecutive
 * Marks: every rank, sendparts for each dest. Asks: every rank, recvparts for each source. Same
 * bytes at both ends of an edge.
 * V.D, as 8.6.2. Errors: COUNT, TYPE, BUFFER, TOPOLOGY. */
MPIX_EXPORT int MPIX_Pneighbor_alltoall_init(const void* sendbuf, int sendparts,
                                             MPI_Count sendcount, MPI_Datatype sendtype,
                                             void* recvbuf, int recvparts, MPI_Count recvcount,
                                             MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info,
                                             MPI_Request* request);

/* Pneighbor_alltoall with segments of different sizes and places.
 *   sendbuf  a segment for each dest i, of sendparts[i] * sendcounts[i] elements at sdispls[i]
 *   recvbuf  a segment for each source i, of recvparts[i] * recvcounts[i] elements at rdispls[i]
 * Marks: every rank, sendparts[i] for dest i. Asks: every rank, recvparts[i] for source i. Same
 * bytes at both ends of an edge.
 * V.D, as 8.6.2. Errors: COUNT, TYPE, BUFFER, TOPOLOGY. */
MPIX_EXPORT int MPIX_Pneighbor_alltoallv_init(const void* sendbuf, const int sendparts[],
                                              const MPI_Count sendcounts[],
                                              const MPI_Aint sdispls[], MPI_Datatype sendtype,
                                              void* recvbuf, const int recvparts[],
                                              const MPI_Count recvcounts[],
                                              const MPI_Aint rdispls[], MPI_Datatype recvtype,
                                              MPI_Comm comm, MPI_Info info, MPI_Request* request);

/* Pneighbor_alltoallv with a datatype for each segment.
 *   sendbuf  a segment for each dest i, of sendparts[i] * sendcounts[i] elements of sendtypes[i],
 *            sdispls[i] bytes in
 *   recvbuf  a segment for each source i, of recvparts[i] * recvcounts[i] elements of recvtypes[i],
 *            rdispls[i] bytes in
 * Marks: every rank, sendparts[i] for dest i. Asks: every rank, recvparts[i] for source i. Same
 * bytes at both ends of an edge.
 * V.D, as 8.6.2. Errors: COUNT, TYPE, BUFFER, TOPOLOGY. */
MPIX_EXPORT int MPIX_Pneighbor_alltoallw_init(
    const void* sendbuf, const int sendparts[], const MPI_Count sendcounts[],
    const MPI_Aint sdispls[], const MPI_Datatype sendtypes[], void* recvbuf, const int recvparts[],
    const MPI_Count recvcounts[], const MPI_Aint rdispls[], const MPI_Datatype recvtypes[],
    MPI_Comm comm, MPI_Info info, MPI_Request* request);

#ifdef __cplusplus
}
#endif

#endif
