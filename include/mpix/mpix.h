/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Planned persistent communication: the one header of mpix to include, for C and C++.
 *
 * It declares the persistent collectives of MPI 4 where the host's mpi.h does not, and says of
 * every collective what libmpix does. The library provides each under the names MPI_x, PMPI_x,
 * MPIX_x and PMPIX_x (MPIX_x is what Open MPI 4.1 declares in mpi-ext.h) on every host.
 * It includes partitioned.h, which does so for partitioned communication, large_counts.h, for sends and
 * receives of more than an int, channels.h, which has channels, bundles.h, which has requests made of
 * others, and automatic.h, for plain collectives.
 *
 * Source: MPI 4.1, sections 6.13 and 8.8; the data movement is that of the blocking collectives in
 * 6.3 to 6.11 and 8.6. The numbers below are its sections. What holds for all of them:
 *
 * Request. An init writes *request, and only on success; the request is inactive. MPI_Start
 *   and MPI_Startall make it active, the MPI_Wait and MPI_Test families complete it and make
 *   it inactive again, any number of times. MPI_Request_free ends an inactive request. Ranks
 *   may start their requests in different orders, but each starts and completes an operation
 *   as often as the others. Blocking and nonblocking collectives never match it.
 * Calls. An init is collective over comm: all ranks call their inits on comm in one order. It
 *   may block until every rank of comm has called it; active operations move meanwhile. Start
 *   is local. While a completion call waits, all active operations move.
 * Threads. Any thread that may call MPI. Under MPI_THREAD_MULTIPLE the program keeps apart
 *   inits on one communicator and uses of one request, as for every collective.
 * Arguments. Bound at init. Arrays of counts, displacements and datatypes are copied: once init
 *   returns the program may change or free them (not under MPIX_CHECK=1, which looks at them) and
 *   free datatypes, op, info and comm. Buffers stay where they are until the request is freed;
 *   data move between Start and completion, never at init. mpix-info lists the keys of info.
 * Devices. If any rank has a buffer in the memory of a GPU, as a driver says that the process has
 *   loaded, the host runs the operation, on every rank. Managed memory is like any other.
 * Units. Counts are elements of the datatype beside them. Displacements are counted from the
 *   start of the buffer in extents of that datatype; in the w forms they are bytes. Bytes that
 *   the datatype leaves out are not touched. Datatypes are committed.
 * In place. MPI_IN_PLACE is taken where a comment says so, for that buffer alone; its count
 *   and datatype are then not significant. It is never taken on an intercommunicator.
 * Status. That of a completed operation is the empty status of an inactive request.
 * Forms. x_init_c is x_init with counts of type MPI_Count and displacements of type MPI_Aint.
 * Two groups. On an intercommunicator the root passes root = MPI_ROOT, the others of its group
 *   MPI_PROC_NULL; n is the size of the remote group (of the local one in reduce_scatter inits).
 * Errors. They are raised through the error handler of comm, or of MPI_COMM_WORLD if comm is null
 *   or freed; the string names argument and value. Each class stands here without its MPI_ERR_.
 *   Every init may raise COMM (comm is null), ARG (request is null), OTHER (the ranks called
 *   different operations), INFO (they named different plans in info), NO_MEM, and those of the
 *   following that its comment lists:
 *     ROOT      root is no rank of comm, or the ranks gave different ones
 *     COUNT     a count is negative or makes too many bytes for 64 bits; the ranks gave different
 *               numbers of bytes where the comment says "same bytes"; or a block is sent with
 *               another size than it is expected with
 *     TYPE      a datatype is null or not committed; in a reduction sizes differ or an extent < 0
 *     OP        op is MPI_OP_NULL, not defined on datatype, or the ranks gave different ones
 *     BUFFER    MPI_IN_PLACE where it is not taken, or on some ranks where it must be on all
 *     ARG       an array of counts or displacements is null
 *     TOPOLOGY  comm has no process topology
 *   Where ranks disagree, all of them get the error. Start of an active request, free of an active
 *   one and MPI_Cancel of any raise MPI_ERR_REQUEST and change nothing. An error of the host while
 *   the operation runs is raised by the call that completes it. docs/errors.md has the strings.
 *
 * In the comments n is the number of ranks of comm, i runs over them, and "everywhere" means on
 * every rank. A buffer, count or datatype that is said to matter at root is ignored elsewhere.
 */
#ifndef MPIX_MPIX_H
#define MPIX_MPIX_H

#include <mpi.h>

#include <mpix/automatic.h>
#include <mpix/bundles.h>
#include <mpix/library.h>
#include <mpix/channels.h>
#include <mpix/large_counts.h>
#include <mpix/partitioned.h>

#ifdef __cplusplus
extern "C" {
#endif

#if MPI_VERSION < 4

/* ---- Synchronisation and data from one rank or to one rank ---- */

/* Completes on a rank once every rank has started it. It moves no data.
 * 6.13.1, as 6.3. Has no _c form. */
MPIX_EXPORT int MPI_Barrier_init(MPI_Comm comm, MPI_Info info, MPI_Request* request);

/* Copies the buffer of root to the buffers of the other ranks.
 *   buffer   count elements; read at root, written elsewhere
 * Same root and same bytes everywhere. In place: no.
 * 6.13.2, as 6.4. Errors: ROOT, COUNT, TYPE, BUFFER. */
MPIX_EXPORT int MPI_Bcast_init(void* buffer, int count, MPI_Datatype datatype, int root,
                               MPI_Comm comm, MPI_Info info, MPI_Request* request);
MPIX_EXPORT int MPI_Bcast_init_c(void* buffer, MPI_Count count, MPI_Datatype datatype, int root,
                                 MPI_Comm comm, MPI_Info info, MPI_Request* request);

/* Collects a block of every rank at root, in the order of ranks.
 *   sendbuf  sendcount elements, everywhere
 *   recvbuf  n blocks of recvcount elements, block i from rank i; matters at root
 * Same root and same bytes everywhere. In place: sendbuf at root, its block is in recvbuf already.
 * 6.13.3, as 6.5. Errors: ROOT, COUNT, TYPE, BUFFER. */
MPIX_EXPORT int MPI_Gather_init(const void* sendbuf, int sendcount, MPI_Datatype sendtype,
                                void* recvbuf, int recvcount, MPI_Datatype recvtype, int root,
                                MPI_Comm comm, MPI_Info info, MPI_Request* request);
MPIX_EXPORT int MPI_Gather_init_c(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype,
                                  void* recvbuf, MPI_Count recvcount, MPI_Datatype recvtype,
                                  int root, MPI_Comm comm, MPI_Info info, MPI_Request* request);

/* Gather with blocks of different sizes and places.
 *   sendbuf  sendcount elements, everywhere
 *   recvbuf  n blocks, block i of recvcounts[i] elements at displs[i]; matters at root
 * Same root everywhere; what rank i sends fills block i. In place: sendbuf at root.
 * 6.13.3, as 6.5. Errors: ROOT, COUNT, TYPE, BUFFER, ARG. */
MPIX_EXPORT int MPI_Gatherv_init(const void* sendbuf, int sendcount, MPI_Datatype sendtype,
                                 void* recvbuf, const int recvcounts[], const int displs[],
                                 MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Info info,
                                 MPI_Request* request);
MPIX_EXPORT int MPI_Gatherv_init_c(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype,
                                   void* recvbuf, const MPI_Count recvcounts[],
                                   const MPI_Aint displs[], MPI_Datatype recvtype, int root,
                                   MPI_Comm comm, MPI_Info info, MPI_Request* request);

/* Hands out the blocks of root's buffer, block i to rank i.
 *   sendbuf  n blocks of sendcount elements; matters at root
 *   recvbuf  recvcount elements, everywhere
 * Same root and same bytes everywhere. In place: recvbuf at root, whose block stays in sendbuf.
 * 6.13.4, as 6.6. Errors: ROOT, COUNT, TYPE, BUFFER. */
MPIX_EXPORT int MPI_Scatter_init(const void* sendbuf, int sendcount, MPI_Datatype sendtype,
                                 void* recvbuf, int recvcount, MPI_Datatype recvtype, int root,
                                 MPI_Comm comm, MPI_Info info, MPI_Request* request);
MPIX_EXPORT int MPI_Scatter_init_c(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype,
                                   void* recvbuf, MPI_Count recvcount, MPI_Datatype recvtype,
                                   int root, MPI_Comm comm, MPI_Info info, MPI_Request* request);

/* Scatter with blocks of different sizes and places.
 *   sendbuf  n blocks, block i of sendcounts[i] elements at displs[i]; matters at root
 *   recvbuf  recvcount elements, everywhere
 * Same root everywhere; block i fills what rank i receives. In place: recvbuf at root.
 * 6.13.4, as 6.6. Errors: ROOT, COUNT, TYPE, BUFFER, ARG. */
MPIX_EXPORT int MPI_Scatterv_init(const void* sendbuf, const int sendcounts[], const int displs[],
                                  MPI_Datatype sendtype, void* recvbuf, int recvcount,
                                  MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Info info,
                                  MPI_Request* request);
MPIX_EXPORT int MPI_Scatterv_init_c(const void* sendbuf, const MPI_Count sendcounts[],
                                    const MPI_Aint displs[], MPI_Datatype sendtype, void* recvbuf,
                                    MPI_Count recvcount, MPI_Datatype recvtype, int root,
                                    MPI_Comm comm, MPI_Info info, MPI_Request* request);

/* ---- Data from every rank to every rank ---- */

/* Collects a block of every rank on all ranks.
 *   sendbuf  sendcount elements, everywhere
 *   recvbuf  n blocks of recvcount elements, block i from rank i, everywhere
 * Same bytes everywhere. In place: sendbuf on all ranks, own blocks are in recvbuf already.
 * 6.13.5, as 6.7. Errors: COUNT, TYPE, BUFFER. */
MPIX_EXPORT int MPI_Allgather_init(const void* sendbuf, int sendcount, MPI_Datatype sendtype,
                                   void* recvbuf, int recvcount, MPI_Datatype recvtype,
                                   MPI_Comm comm, MPI_Info info, MPI_Request* request);
MPIX_EXPORT int MPI_Allgather_init_c(const void* sendbuf, MPI_Count sendcount,
                                     MPI_Datatype sendtype, void* recvbuf, MPI_Count recvcount,
                                     MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info,
                                     MPI_Request* request);

/* Allgather with blocks of different sizes and places.
 *   sendbuf  sendcount elements, everywhere
 *   recvbuf  n blocks, block i of recvcounts[i] elements at displs[i], everywhere
 * Same bytes everywhere, summed over the blocks. In place: sendbuf on all ranks.
 * 6.13.5, as 6.7. Errors: COUNT, TYPE, BUFFER, ARG. */
MPIX_EXPORT int MPI_Allgatherv_init(const void* sendbuf, int sendcount, MPI_Datatype sendtype,
                                    void* recvbuf, const int recvcounts[], const int displs[],
                                    MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info,
                                    MPI_Request* request);
MPIX_EXPORT int MPI_Allgatherv_init_c(const void* sendbuf, MPI_Count sendcount,
                                      MPI_Datatype sendtype, void* recvbuf,
                                      const MPI_Count recvcounts[], const MPI_Aint displs[],
                                      MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info,
                                      MPI_Request* request);

/* Sends block i of every rank to rank i.
 *   sendbuf  n blocks of sendcount elements, everywhere
 *   recvbuf  n blocks of recvcount elements, block i from rank i, everywhere
 * Same bytes everywhere. In place: sendbuf on all ranks; recvbuf's blocks are sent and replaced.
 * 6.13.6, as 6.8. Errors: COUNT, TYPE, BUFFER. */
MPIX_EXPORT int MPI_Alltoall_init(const void* sendbuf, int sendcount, MPI_Datatype sendtype,
                                  void* recvbuf, int recvcount, MPI_Datatype recvtype,
                                  MPI_Comm comm, MPI_Info info, MPI_Request* request);
MPIX_EXPORT int MPI_Alltoall_init_c(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype,
                                    void* recvbuf, MPI_Count recvcount, MPI_Datatype recvtype,
                                    MPI_Comm comm, MPI_Info info, MPI_Request* request);

/* Alltoall with blocks of different sizes and places.
 *   sendbuf  n blocks, block i of sendcounts[i] elements at sdispls[i], everywhere
 *   recvbuf  n blocks, block i of recvcounts[i] elements at rdispls[i], everywhere
 * What rank r sends to rank i fills block r there. In place: sendbuf on all ranks.
 * 6.13.6, as 6.8. Errors: COUNT, TYPE, BUFFER, ARG. */
MPIX_EXPORT int MPI_Alltoallv_init(const void* sendbuf, const int sendcounts[], const int sdispls[],
                                   MPI_Datatype sendtype, void* recvbuf, const int recvcounts[],
                                   const int rdispls[], MPI_Datatype recvtype, MPI_Comm comm,
                                   MPI_Info info, MPI_Request* request);
MPIX_EXPORT int MPI_Alltoallv_init_c(const void* sendbuf, const MPI_Count sendcounts[],
                                     const MPI_Aint sdispls[], MPI_Datatype sendtype, void* recvbuf,
                                     const MPI_Count recvcounts[], const MPI_Aint rdispls[],
                                     MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info,
                                     MPI_Request* request);

/* Alltoall with blocks of different sizes, places and datatypes.
 *   sendbuf  n blocks, block i of sendcounts[i] elements of sendtypes[i], sdispls[i] bytes in
 *   recvbuf  n blocks, block i of recvcounts[i] elements of recvtypes[i], rdispls[i] bytes in
 * What rank r sends to rank i fills block r there. In place: sendbuf on all ranks.
 * 6.13.6, as 6.8. Errors: COUNT, TYPE, BUFFER, ARG. */
MPIX_EXPORT int MPI_Alltoallw_init(const void* sendbuf, const int sendcounts[], const int sdispls[],
                                   const MPI_Datatype sendtypes[], void* recvbuf,
                                   const int recvcounts[], const int rdispls[],
                                   const MPI_Datatype recvtypes[], MPI_Comm comm, MPI_Info info,
                                   MPI_Request* request);
MPIX_EXPORT int MPI_Alltoallw_init_c(const void* sendbuf, const MPI_Count sendcounts[],
                                     const MPI_Aint sdispls[], const MPI_Datatype sendtypes[],
                                     void* recvbuf, const MPI_Count recvcounts[],
                                     const MPI_Aint rdispls[], const MPI_Datatype recvtypes[],
                                     MPI_Comm comm, MPI_Info info, MPI_Request* request);

/* ---- Reductions ----
 *
 * Ops that do not commute are applied in the order of ranks. */

/* Combines the vectors of all ranks, element by element, at root.
 *   sendbuf  count elements, everywhere
 *   recvbuf  count elements; matters at root
 * Same root, bytes and op everywhere. In place: sendbuf at root, whose vector is in recvbuf.
 * 6.13.7, as 6.9.1. Errors: ROOT, COUNT, TYPE, OP, BUFFER. */
MPIX_EXPORT int MPI_Reduce_init(const void* sendbuf, void* recvbuf, int count,
                                MPI_Datatype datatype, MPI_Op op, int root, MPI_Comm comm,
                                MPI_Info info, MPI_Request* request);
MPIX_EXPORT int MPI_Reduce_init_c(const void* sendbuf, void* recvbuf, MPI_Count count,
                                  MPI_Datatype datatype, MPI_Op op, int root, MPI_Comm comm,
                                  MPI_Info info, MPI_Request* request);

/* Combines the vectors of all ranks, element by element, on all ranks.
 *   sendbuf, recvbuf  count elements, everywhere
 * Same bytes and op everywhere. In place: sendbuf on all ranks, the vectors are in recvbuf.
 * 6.13.8, as 6.9.6. Errors: COUNT, TYPE, OP, BUFFER. */
MPIX_EXPORT int MPI_Allreduce_init(const void* sendbuf, void* recvbuf, int count,
                                   MPI_Datatype datatype, MPI_Op op, MPI_Comm comm, MPI_Info info,
                                   MPI_Request* request);
MPIX_EXPORT int MPI_Allreduce_init_c(const void* sendbuf, void* recvbuf, MPI_Count count,
                                     MPI_Datatype datatype, MPI_Op op, MPI_Comm comm, MPI_Info info,
                                     MPI_Request* request);

/* Combines the vectors of all ranks and leaves block i of the result on rank i.
 *   sendbuf  n blocks of recvcount elements, everywhere
 *   recvbuf  recvcount elements, everywhere
 * Same bytes and op everywhere. In place: sendbuf on all ranks; recvbuf then holds the n blocks.
 * 6.13.9, as 6.10.1. Errors: COUNT, TYPE, OP, BUFFER. */
MPIX_EXPORT int MPI_Reduce_scatter_block_init(const void* sendbuf, void* recvbuf, int recvcount,
                                              MPI_Datatype datatype, MPI_Op op, MPI_Comm comm,
                                              MPI_Info info, MPI_Request* request);
MPIX_EXPORT int MPI_Reduce_scatter_block_init_c(const void* sendbuf, void* recvbuf,
                                                MPI_Count recvcount, MPI_Datatype datatype,
                                                MPI_Op op, MPI_Comm comm, MPI_Info info,
                                                MPI_Request* request);

/* Reduce_scatter_block with blocks of different sizes.
 *   sendbuf  n consecutive blocks, block i of recvcounts[i] elements, everywhere
 *   recvbuf  recvcounts[r] elements on rank r
 * Same recvcounts and op everywhere. In place: sendbuf on all ranks; recvbuf then holds n blocks.
 * 6.13.10, as 6.10.2. Errors: COUNT, TYPE, OP, BUFFER, ARG. */
MPIX_EXPORT int MPI_Reduce_scatter_init(const void* sendbuf, void* recvbuf, const int recvcounts[],
                                        MPI_Datatype datatype, MPI_Op op, MPI_Comm comm,
                                        MPI_Info info, MPI_Request* request);
MPIX_EXPORT int MPI_Reduce_scatter_init_c(const void* sendbuf, void* recvbuf,
                                          const MPI_Count recvcounts[], MPI_Datatype datatype,
                                          MPI_Op op, MPI_Comm comm, MPI_Info info,
                                          MPI_Request* request);

/* Combines on rank r the vectors of ranks 0 to r, element by element.
 *   sendbuf, recvbuf  count elements, everywhere
 * Same bytes and op everywhere. In place: sendbuf on all ranks. Not for intercommunicators.
 * 6.13.11, as 6.11.1. Errors: COUNT, TYPE, OP, BUFFER. */
MPIX_EXPORT int MPI_Scan_init(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype,
                              MPI_Op op, MPI_Comm comm, MPI_Info info, MPI_Request* request);
MPIX_EXPORT int MPI_Scan_init_c(const void* sendbuf, void* recvbuf, MPI_Count count,
                                MPI_Datatype datatype, MPI_Op op, MPI_Comm comm, MPI_Info info,
                                MPI_Request* request);

/* Combines on rank r the vectors of ranks 0 to r - 1, element by element.
 *   sendbuf  count elements, everywhere
 *   recvbuf  count elements, everywhere; that of rank 0 is not touched
 * Same bytes and op everywhere. In place: sendbuf on all ranks. Not for intercommunicators.
 * 6.13.12, as 6.11.2. Errors: COUNT, TYPE, OP, BUFFER. */
MPIX_EXPORT int MPI_Exscan_init(const void* sendbuf, void* recvbuf, int count,
                                MPI_Datatype datatype, MPI_Op op, MPI_Comm comm, MPI_Info info,
                                MPI_Request* request);
MPIX_EXPORT int MPI_Exscan_init_c(const void* sendbuf, void* recvbuf, MPI_Count count,
                                  MPI_Datatype datatype, MPI_Op op, MPI_Comm comm, MPI_Info info,
                                  MPI_Request* request);

/* ---- Neighbourhoods ----
 *
 * comm has a topology. On a grid of d dimensions a rank has 2d neighbours, on both sides: block 2k
 * is for the neighbour in the negative direction of dimension k, block 2k + 1 for the positive one.
 * On a graph the blocks follow the order of MPI_Graph_neighbors or MPI_Dist_graph_neighbors. Blocks
 * of neighbours that are MPI_PROC_NULL are not touched. What is sent in one direction of a grid
 * arrives in the block of the opposite one, also where a periodic dimension has one rank or two;
 * the k-th edge from a process of a graph matches its k-th edge to here (8.6). In place: no. */

/* Sends one block to all destinations and receives a block from every source.
 *   sendbuf  sendcount elements
 *   recvbuf  as many blocks of recvcount elements as there are sources
 * 8.8.1, as 8.6.1. Errors: COUNT, TYPE, BUFFER, TOPOLOGY. */
MPIX_EXPORT int MPI_Neighbor_allgather_init(const void* sendbuf, int sendcount,
                                            MPI_Datatype sendtype, void* recvbuf, int recvcount,
                                            MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info,
                                            MPI_Request* request);
MPIX_EXPORT int MPI_Neighbor_allgather_init_c(const void* sendbuf, MPI_Count sendcount,
                                              MPI_Datatype sendtype, void* recvbuf,
                                              MPI_Count recvcount, MPI_Datatype recvtype,
                                              MPI_Comm comm, MPI_Info info, MPI_Request* request);

/* Neighbor_allgather with blocks of different sizes and places.
 *   sendbuf  sendcount elements
 *   recvbuf  a block for each source i, of recvcounts[i] elements at displs[i]
 * 8.8.1, as 8.6.1. Errors: COUNT, TYPE, BUFFER, ARG, TOPOLOGY. */
MPIX_EXPORT int MPI_Neighbor_allgatherv_init(const void* sendbuf, int sendcount,
                                             MPI_Datatype sendtype, void* recvbuf,
                                             const int recvcounts[], const int displs[],
                                             MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info,
                                             MPI_Request* request);
MPIX_EXPORT int MPI_Neighbor_allgatherv_init_c(const void* sendbuf, MPI_Count sendcount,
                                               MPI_Datatype sendtype, void* recvbuf,
                                               const MPI_Count recvcounts[],
                                               const MPI_Aint displs[], MPI_Datatype recvtype,
                                               MPI_Comm comm, MPI_Info info, MPI_Request* request);

/* Sends a block to every destination and receives a block from every source.
 *   sendbuf  as many blocks of sendcount elements as there are destinations
 *   recvbuf  as many blocks of recvcount elements as there are sources
 * 8.8.2, as 8.6.2. Errors: COUNT, TYPE, BUFFER, TOPOLOGY. */
MPIX_EXPORT int MPI_Neighbor_alltoall_init(const void* sendbuf, int sendcount,
                                           MPI_Datatype sendtype, void* recvbuf, int recvcount,
                                           MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info,
                                           MPI_Request* request);
MPIX_EXPORT int MPI_Neighbor_alltoall_init_c(const void* sendbuf, MPI_Count sendcount,
                                             MPI_Datatype sendtype, void* recvbuf,
                                             MPI_Count recvcount, MPI_Datatype recvtype,
                                             MPI_Comm comm, MPI_Info info, MPI_Request* request);

/* Neighbor_alltoall with blocks of different sizes and places.
 *   sendbuf  a block for each destination i, of sendcounts[i] elements at sdispls[i]
 *   recvbuf  a block for each source i, of recvcounts[i] elements at rdispls[i]
 * 8.8.2, as 8.6.2. Errors: COUNT, TYPE, BUFFER, ARG, TOPOLOGY. */
MPIX_EXPORT int MPI_Neighbor_alltoallv_init(const void* sendbuf, const int sendcounts[],
                                            const int sdispls[], MPI_Datatype sendtype,
                                            void* recvbuf, const int recvcounts[],
                                            const int rdispls[], MPI_Datatype recvtype,
                                            MPI_Comm comm, MPI_Info info, MPI_Request* request);
MPIX_EXPORT int MPI_Neighbor_alltoallv_init_c(const void* sendbuf, const MPI_Count sendcounts[],
                                              const MPI_Aint sdispls[], MPI_Datatype sendtype,
                                              void* recvbuf, const MPI_Count recvcounts[],
                                              const MPI_Aint rdispls[], MPI_Datatype recvtype,
                                              MPI_Comm comm, MPI_Info info, MPI_Request* request);

/* Neighbor_alltoall with blocks of different sizes, places and datatypes.
 *   sendbuf  a block for each destination i: sendcounts[i] of sendtypes[i], sdispls[i] bytes in
 *   recvbuf  a block for each source i: recvcounts[i] of recvtypes[i], rdispls[i] bytes in
 * Displacements are MPI_Aint in both forms.
 * 8.8.2, as 8.6.2. Errors: COUNT, TYPE, BUFFER, ARG, TOPOLOGY. */
MPIX_EXPORT int MPI_Neighbor_alltoallw_init(const void* sendbuf, const int sendcounts[],
                                            const MPI_Aint sdispls[],
                                            const MPI_Datatype sendtypes[], void* recvbuf,
                                            const int recvcounts[], const MPI_Aint rdispls[],
                                            const MPI_Datatype recvtypes[], MPI_Comm comm,
                                            MPI_Info info, MPI_Request* request);
MPIX_EXPORT int MPI_Neighbor_alltoallw_init_c(const void* sendbuf, const MPI_Count sendcounts[],
                                              const MPI_Aint sdispls[],
                                              const MPI_Datatype sendtypes[], void* recvbuf,
                                              const MPI_Count recvcounts[],
                                              const MPI_Aint rdispls[],
                                              const MPI_Datatype recvtypes[], MPI_Comm comm,
                                              MPI_Info info, MPI_Request* request);

#endif /* MPI_VERSION < 4 */

#ifdef __cplusplus
}
#endif

#endif
