# SPDX-License-Identifier: BSD-3-Clause
# Made by scripts/python_table.py of the public headers. It is not to be changed by hand.
"""Every call of libmpix, its parameters as the headers have them, and what they say of it."""

VERSION = "0.1.0"
CONSTANTS = {'ALL_DESTS': -7001, 'ALL_SOURCES': -7002}
ALIASES = {'Palloall_init': 'Palltoall_init', 'Palloallv_init': 'Palltoallv_init', 'Palloallw_init': 'Palltoallw_init'}

# A comment, and the calls it is about, each with its parameters.
ENTRIES = (
    ("""What the library is and can do here, as lines of text that mpix-info prints: version, host,
capabilities, variables, info keys, solvers. Outside MPI_Init and MPI_Finalize it lacks what MPI
alone knows. The text lasts until the process ends; a null pointer if there is no memory for it.
Local, any thread; nothing is forked. No errors.""",
     {
         "MPIX_Describe":
             "",
     }),
    ("""What made the plan of a request: a solver, or "delegate" where the host runs it; a null pointer for
a request that has no plan of this library, or not yet. Local, any thread. No errors.""",
     {
         "MPIX_Plan_name":
             "MPI_Request request",
     }),
    ("""Binds an inactive request to other buffers, with the counts, displacements and datatypes that it
has; nothing is planned again. The next Start is the first that uses them, and the old ones are
the program's again. Each rank may rebind when it likes, and only where it likes: nobody else has
to know.
  request  a persistent collective, a partitioned operation, point-to-point or collective, or an
           end of a channel, also before its other end is known; alone or a member of bundles
  sendbuf  in place of the buffer that is sent from. A channel's slots move with it, and the next
           start uses the slot that it would have used
  recvbuf  in place of the buffer that is received into. On every rank the one buffer of a
           broadcast, which is sendbuf if recvbuf is null
A buffer that the request does not have on this rank is ignored. MPI_IN_PLACE stands where it
stood at the init, and nowhere else. A send buffer of MPI_Alloc_mem that other ranks load from
may be replaced by any other; if that is not of MPI_Alloc_mem too each of its messages is copied
once more. After an error the request is bound as it was.
Local, any thread, as a use of the request. Persistence Working Group of the MPI Forum, May 2011,
miscellaneous note 1, and addendum 5. Errors, raised through the communicator of the request, or
MPI_COMM_WORLD if it is none of these: REQUEST (null, the host's own, sends and receives of
MPI_Send_init and its kin too, a bundle, a generalized request, a request for one partition, one
that is active, being bound, or a member of an active bundle), BUFFER (MPI_IN_PLACE for an
address, or the reverse; memory of a device for what the host does not run), NO_MEM,
and those of the host.""",
     {
         "MPIX_Request_rebind":
             "MPI_Request request, const void* sendbuf, void* recvbuf",
     }),
    ("""Has the plain collectives on a communicator run on plans when they repeat, or no more: from the next
call on, in place of what MPIX_AUTO says, for this communicator and for what MPI_Comm_dup and its
like make of it. Plans that it has are kept.
  comm  every rank of it calls this, between the same two collectives, with the same flag
  flag  0, or another number: all that MPIX_AUTO=1 names
On an intercommunicator, and where there is one rank, it changes nothing. Collective, though nothing
is sent and nobody waits; no other thread may use the communicator meanwhile. Errors, raised through
the communicator: COMM, NO_MEM, and those of the host.""",
     {
         "MPIX_Auto_set":
             "MPI_Comm comm, int flag",
     }),
    ("""Whether any plain collectives on a communicator may run on plans, and how many plans it has for them
now, which a program seldom needs to know. Either pointer may be null. Local. Errors, raised through
the communicator: COMM, NO_MEM, and those of the host.""",
     {
         "MPIX_Auto_get":
             "MPI_Comm comm, int* flag, int* plans",
     }),
    ("""Completes on a rank once every rank has started it. It moves no data.
6.13.1, as 6.3. Has no _c form.""",
     {
         "MPI_Barrier_init":
             "MPI_Comm comm, MPI_Info info, MPI_Request* request",
     }),
    ("""Copies the buffer of root to the buffers of the other ranks.
  buffer   count elements; read at root, written elsewhere
Same root and same bytes everywhere. In place: no.
6.13.2, as 6.4. Errors: ROOT, COUNT, TYPE, BUFFER.""",
     {
         "MPI_Bcast_init":
             "void* buffer, int count, MPI_Datatype datatype, int root, MPI_Comm comm, "
             "MPI_Info info, MPI_Request* request",
         "MPI_Bcast_init_c":
             "void* buffer, MPI_Count count, MPI_Datatype datatype, int root, MPI_Comm comm, "
             "MPI_Info info, MPI_Request* request",
     }),
    ("""Collects a block of every rank at root, in the order of ranks.
  sendbuf  sendcount elements, everywhere
  recvbuf  n blocks of recvcount elements, block i from rank i; matters at root
Same root and same bytes everywhere. In place: sendbuf at root, its block is in recvbuf already.
6.13.3, as 6.5. Errors: ROOT, COUNT, TYPE, BUFFER.""",
     {
         "MPI_Gather_init":
             "const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, "
             "int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Info info, "
             "MPI_Request* request",
         "MPI_Gather_init_c":
             "const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void* recvbuf, "
             "MPI_Count recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm, "
             "MPI_Info info, MPI_Request* request",
     }),
    ("""Gather with blocks of different sizes and places.
  sendbuf  sendcount elements, everywhere
  recvbuf  n blocks, block i of recvcounts[i] elements at displs[i]; matters at root
Same root everywhere; what rank i sends fills block i. In place: sendbuf at root.
6.13.3, as 6.5. Errors: ROOT, COUNT, TYPE, BUFFER, ARG.""",
     {
         "MPI_Gatherv_init":
             "const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, "
             "const int recvcounts[], const int displs[], MPI_Datatype recvtype, int root, "
             "MPI_Comm comm, MPI_Info info, MPI_Request* request",
         "MPI_Gatherv_init_c":
             "const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void* recvbuf, "
             "const MPI_Count recvcounts[], const MPI_Aint displs[], MPI_Datatype recvtype, "
             "int root, MPI_Comm comm, MPI_Info info, MPI_Request* request",
     }),
    ("""Hands out the blocks of root's buffer, block i to rank i.
  sendbuf  n blocks of sendcount elements; matters at root
  recvbuf  recvcount elements, everywhere
Same root and same bytes everywhere. In place: recvbuf at root, whose block stays in sendbuf.
6.13.4, as 6.6. Errors: ROOT, COUNT, TYPE, BUFFER.""",
     {
         "MPI_Scatter_init":
             "const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, "
             "int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Info info, "
             "MPI_Request* request",
         "MPI_Scatter_init_c":
             "const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void* recvbuf, "
             "MPI_Count recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm, "
             "MPI_Info info, MPI_Request* request",
     }),
    ("""Scatter with blocks of different sizes and places.
  sendbuf  n blocks, block i of sendcounts[i] elements at displs[i]; matters at root
  recvbuf  recvcount elements, everywhere
Same root everywhere; block i fills what rank i receives. In place: recvbuf at root.
6.13.4, as 6.6. Errors: ROOT, COUNT, TYPE, BUFFER, ARG.""",
     {
         "MPI_Scatterv_init":
             "const void* sendbuf, const int sendcounts[], const int displs[], "
             "MPI_Datatype sendtype, void* recvbuf, int recvcount, MPI_Datatype recvtype, "
             "int root, MPI_Comm comm, MPI_Info info, MPI_Request* request",
         "MPI_Scatterv_init_c":
             "const void* sendbuf, const MPI_Count sendcounts[], const MPI_Aint displs[], "
             "MPI_Datatype sendtype, void* recvbuf, MPI_Count recvcount, "
             "MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Info info, "
             "MPI_Request* request",
     }),
    ("""Collects a block of every rank on all ranks.
  sendbuf  sendcount elements, everywhere
  recvbuf  n blocks of recvcount elements, block i from rank i, everywhere
Same bytes everywhere. In place: sendbuf on all ranks, own blocks are in recvbuf already.
6.13.5, as 6.7. Errors: COUNT, TYPE, BUFFER.""",
     {
         "MPI_Allgather_init":
             "const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, "
             "int recvcount, MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info, "
             "MPI_Request* request",
         "MPI_Allgather_init_c":
             "const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void* recvbuf, "
             "MPI_Count recvcount, MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info, "
             "MPI_Request* request",
     }),
    ("""Allgather with blocks of different sizes and places.
  sendbuf  sendcount elements, everywhere
  recvbuf  n blocks, block i of recvcounts[i] elements at displs[i], everywhere
Same bytes everywhere, summed over the blocks. In place: sendbuf on all ranks.
6.13.5, as 6.7. Errors: COUNT, TYPE, BUFFER, ARG.""",
     {
         "MPI_Allgatherv_init":
             "const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, "
             "const int recvcounts[], const int displs[], MPI_Datatype recvtype, "
             "MPI_Comm comm, MPI_Info info, MPI_Request* request",
         "MPI_Allgatherv_init_c":
             "const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void* recvbuf, "
             "const MPI_Count recvcounts[], const MPI_Aint displs[], MPI_Datatype recvtype, "
             "MPI_Comm comm, MPI_Info info, MPI_Request* request",
     }),
    ("""Sends block i of every rank to rank i.
  sendbuf  n blocks of sendcount elements, everywhere
  recvbuf  n blocks of recvcount elements, block i from rank i, everywhere
Same bytes everywhere. In place: sendbuf on all ranks; recvbuf's blocks are sent and replaced.
6.13.6, as 6.8. Errors: COUNT, TYPE, BUFFER.""",
     {
         "MPI_Alltoall_init":
             "const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, "
             "int recvcount, MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info, "
             "MPI_Request* request",
         "MPI_Alltoall_init_c":
             "const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void* recvbuf, "
             "MPI_Count recvcount, MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info, "
             "MPI_Request* request",
     }),
    ("""Alltoall with blocks of different sizes and places.
  sendbuf  n blocks, block i of sendcounts[i] elements at sdispls[i], everywhere
  recvbuf  n blocks, block i of recvcounts[i] elements at rdispls[i], everywhere
What rank r sends to rank i fills block r there. In place: sendbuf on all ranks.
6.13.6, as 6.8. Errors: COUNT, TYPE, BUFFER, ARG.""",
     {
         "MPI_Alltoallv_init":
             "const void* sendbuf, const int sendcounts[], const int sdispls[], "
             "MPI_Datatype sendtype, void* recvbuf, const int recvcounts[], "
             "const int rdispls[], MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info, "
             "MPI_Request* request",
         "MPI_Alltoallv_init_c":
             "const void* sendbuf, const MPI_Count sendcounts[], const MPI_Aint sdispls[], "
             "MPI_Datatype sendtype, void* recvbuf, const MPI_Count recvcounts[], "
             "const MPI_Aint rdispls[], MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info, "
             "MPI_Request* request",
     }),
    ("""Alltoall with blocks of different sizes, places and datatypes.
  sendbuf  n blocks, block i of sendcounts[i] elements of sendtypes[i], sdispls[i] bytes in
  recvbuf  n blocks, block i of recvcounts[i] elements of recvtypes[i], rdispls[i] bytes in
What rank r sends to rank i fills block r there. In place: sendbuf on all ranks.
6.13.6, as 6.8. Errors: COUNT, TYPE, BUFFER, ARG.""",
     {
         "MPI_Alltoallw_init":
             "const void* sendbuf, const int sendcounts[], const int sdispls[], "
             "const MPI_Datatype sendtypes[], void* recvbuf, const int recvcounts[], "
             "const int rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm, "
             "MPI_Info info, MPI_Request* request",
         "MPI_Alltoallw_init_c":
             "const void* sendbuf, const MPI_Count sendcounts[], const MPI_Aint sdispls[], "
             "const MPI_Datatype sendtypes[], void* recvbuf, const MPI_Count recvcounts[], "
             "const MPI_Aint rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm, "
             "MPI_Info info, MPI_Request* request",
     }),
    ("""Combines the vectors of all ranks, element by element, at root.
  sendbuf  count elements, everywhere
  recvbuf  count elements; matters at root
Same root, bytes and op everywhere. In place: sendbuf at root, whose vector is in recvbuf.
6.13.7, as 6.9.1. Errors: ROOT, COUNT, TYPE, OP, BUFFER.""",
     {
         "MPI_Reduce_init":
             "const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, "
             "MPI_Op op, int root, MPI_Comm comm, MPI_Info info, MPI_Request* request",
         "MPI_Reduce_init_c":
             "const void* sendbuf, void* recvbuf, MPI_Count count, MPI_Datatype datatype, "
             "MPI_Op op, int root, MPI_Comm comm, MPI_Info info, MPI_Request* request",
     }),
    ("""Combines the vectors of all ranks, element by element, on all ranks.
  sendbuf, recvbuf  count elements, everywhere
Same bytes and op everywhere. In place: sendbuf on all ranks, the vectors are in recvbuf.
6.13.8, as 6.9.6. Errors: COUNT, TYPE, OP, BUFFER.""",
     {
         "MPI_Allreduce_init":
             "const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, "
             "MPI_Op op, MPI_Comm comm, MPI_Info info, MPI_Request* request",
         "MPI_Allreduce_init_c":
             "const void* sendbuf, void* recvbuf, MPI_Count count, MPI_Datatype datatype, "
             "MPI_Op op, MPI_Comm comm, MPI_Info info, MPI_Request* request",
     }),
    ("""Combines the vectors of all ranks and leaves block i of the result on rank i.
  sendbuf  n blocks of recvcount elements, everywhere
  recvbuf  recvcount elements, everywhere
Same bytes and op everywhere. In place: sendbuf on all ranks; recvbuf then holds the n blocks.
6.13.9, as 6.10.1. Errors: COUNT, TYPE, OP, BUFFER.""",
     {
         "MPI_Reduce_scatter_block_init":
             "const void* sendbuf, void* recvbuf, int recvcount, MPI_Datatype datatype, "
             "MPI_Op op, MPI_Comm comm, MPI_Info info, MPI_Request* request",
         "MPI_Reduce_scatter_block_init_c":
             "const void* sendbuf, void* recvbuf, MPI_Count recvcount, MPI_Datatype datatype, "
             "MPI_Op op, MPI_Comm comm, MPI_Info info, MPI_Request* request",
     }),
    ("""Reduce_scatter_block with blocks of different sizes.
  sendbuf  n consecutive blocks, block i of recvcounts[i] elements, everywhere
  recvbuf  recvcounts[r] elements on rank r
Same recvcounts and op everywhere. In place: sendbuf on all ranks; recvbuf then holds n blocks.
6.13.10, as 6.10.2. Errors: COUNT, TYPE, OP, BUFFER, ARG.""",
     {
         "MPI_Reduce_scatter_init":
             "const void* sendbuf, void* recvbuf, const int recvcounts[], "
             "MPI_Datatype datatype, MPI_Op op, MPI_Comm comm, MPI_Info info, "
             "MPI_Request* request",
         "MPI_Reduce_scatter_init_c":
             "const void* sendbuf, void* recvbuf, const MPI_Count recvcounts[], "
             "MPI_Datatype datatype, MPI_Op op, MPI_Comm comm, MPI_Info info, "
             "MPI_Request* request",
     }),
    ("""Combines on rank r the vectors of ranks 0 to r, element by element.
  sendbuf, recvbuf  count elements, everywhere
Same bytes and op everywhere. In place: sendbuf on all ranks. Not for intercommunicators.
6.13.11, as 6.11.1. Errors: COUNT, TYPE, OP, BUFFER.""",
     {
         "MPI_Scan_init":
             "const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, "
             "MPI_Op op, MPI_Comm comm, MPI_Info info, MPI_Request* request",
         "MPI_Scan_init_c":
             "const void* sendbuf, void* recvbuf, MPI_Count count, MPI_Datatype datatype, "
             "MPI_Op op, MPI_Comm comm, MPI_Info info, MPI_Request* request",
     }),
    ("""Combines on rank r the vectors of ranks 0 to r - 1, element by element.
  sendbuf  count elements, everywhere
  recvbuf  count elements, everywhere; that of rank 0 is not touched
Same bytes and op everywhere. In place: sendbuf on all ranks. Not for intercommunicators.
6.13.12, as 6.11.2. Errors: COUNT, TYPE, OP, BUFFER.""",
     {
         "MPI_Exscan_init":
             "const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, "
             "MPI_Op op, MPI_Comm comm, MPI_Info info, MPI_Request* request",
         "MPI_Exscan_init_c":
             "const void* sendbuf, void* recvbuf, MPI_Count count, MPI_Datatype datatype, "
             "MPI_Op op, MPI_Comm comm, MPI_Info info, MPI_Request* request",
     }),
    ("""Sends one block to all destinations and receives a block from every source.
  sendbuf  sendcount elements
  recvbuf  as many blocks of recvcount elements as there are sources
8.8.1, as 8.6.1. Errors: COUNT, TYPE, BUFFER, TOPOLOGY.""",
     {
         "MPI_Neighbor_allgather_init":
             "const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, "
             "int recvcount, MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info, "
             "MPI_Request* request",
         "MPI_Neighbor_allgather_init_c":
             "const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void* recvbuf, "
             "MPI_Count recvcount, MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info, "
             "MPI_Request* request",
     }),
    ("""Neighbor_allgather with blocks of different sizes and places.
  sendbuf  sendcount elements
  recvbuf  a block for each source i, of recvcounts[i] elements at displs[i]
8.8.1, as 8.6.1. Errors: COUNT, TYPE, BUFFER, ARG, TOPOLOGY.""",
     {
         "MPI_Neighbor_allgatherv_init":
             "const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, "
             "const int recvcounts[], const int displs[], MPI_Datatype recvtype, "
             "MPI_Comm comm, MPI_Info info, MPI_Request* request",
         "MPI_Neighbor_allgatherv_init_c":
             "const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void* recvbuf, "
             "const MPI_Count recvcounts[], const MPI_Aint displs[], MPI_Datatype recvtype, "
             "MPI_Comm comm, MPI_Info info, MPI_Request* request",
     }),
    ("""Sends a block to every destination and receives a block from every source.
  sendbuf  as many blocks of sendcount elements as there are destinations
  recvbuf  as many blocks of recvcount elements as there are sources
8.8.2, as 8.6.2. Errors: COUNT, TYPE, BUFFER, TOPOLOGY.""",
     {
         "MPI_Neighbor_alltoall_init":
             "const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, "
             "int recvcount, MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info, "
             "MPI_Request* request",
         "MPI_Neighbor_alltoall_init_c":
             "const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void* recvbuf, "
             "MPI_Count recvcount, MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info, "
             "MPI_Request* request",
     }),
    ("""Neighbor_alltoall with blocks of different sizes and places.
  sendbuf  a block for each destination i, of sendcounts[i] elements at sdispls[i]
  recvbuf  a block for each source i, of recvcounts[i] elements at rdispls[i]
8.8.2, as 8.6.2. Errors: COUNT, TYPE, BUFFER, ARG, TOPOLOGY.""",
     {
         "MPI_Neighbor_alltoallv_init":
             "const void* sendbuf, const int sendcounts[], const int sdispls[], "
             "MPI_Datatype sendtype, void* recvbuf, const int recvcounts[], "
             "const int rdispls[], MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info, "
             "MPI_Request* request",
         "MPI_Neighbor_alltoallv_init_c":
             "const void* sendbuf, const MPI_Count sendcounts[], const MPI_Aint sdispls[], "
             "MPI_Datatype sendtype, void* recvbuf, const MPI_Count recvcounts[], "
             "const MPI_Aint rdispls[], MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info, "
             "MPI_Request* request",
     }),
    ("""Neighbor_alltoall with blocks of different sizes, places and datatypes.
  sendbuf  a block for each destination i: sendcounts[i] of sendtypes[i], sdispls[i] bytes in
  recvbuf  a block for each source i: recvcounts[i] of recvtypes[i], rdispls[i] bytes in
Displacements are MPI_Aint in both forms.
8.8.2, as 8.6.2. Errors: COUNT, TYPE, BUFFER, ARG, TOPOLOGY.""",
     {
         "MPI_Neighbor_alltoallw_init":
             "const void* sendbuf, const int sendcounts[], const MPI_Aint sdispls[], "
             "const MPI_Datatype sendtypes[], void* recvbuf, const int recvcounts[], "
             "const MPI_Aint rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm, "
             "MPI_Info info, MPI_Request* request",
         "MPI_Neighbor_alltoallw_init_c":
             "const void* sendbuf, const MPI_Count sendcounts[], const MPI_Aint sdispls[], "
             "const MPI_Datatype sendtypes[], void* recvbuf, const MPI_Count recvcounts[], "
             "const MPI_Aint rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm, "
             "MPI_Info info, MPI_Request* request",
     }),
    ("""Binds a send or a receive whose count may be beyond int.
  buf      count elements of datatype
Otherwise as the forms without _c, which every host has. Local; the host runs the request, and
any send matches any receive. A status counts elements of datatype with MPI_Get_elements_x where
MPI_Get_count has no int for them.
3.9. Errors: those of the host; COUNT.""",
     {
         "MPI_Send_init_c":
             "const void* buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag, "
             "MPI_Comm comm, MPI_Request* request",
         "MPI_Bsend_init_c":
             "const void* buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag, "
             "MPI_Comm comm, MPI_Request* request",
         "MPI_Ssend_init_c":
             "const void* buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag, "
             "MPI_Comm comm, MPI_Request* request",
         "MPI_Rsend_init_c":
             "const void* buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag, "
             "MPI_Comm comm, MPI_Request* request",
         "MPI_Recv_init_c":
             "void* buf, MPI_Count count, MPI_Datatype datatype, int source, int tag, "
             "MPI_Comm comm, MPI_Request* request",
     }),
    ("""Binds a partitioned send to one rank.
  buf      partitions * count elements, one segment; the caller marks
dest may be the caller itself, or MPI_PROC_NULL; on an intercommunicator it is a rank of the
remote group. Sends match Precv_inits, and nothing else, once: in the order of their inits for
one pair of ranks, comm and tag. Local: it waits for nobody.
4.2.1. Errors: COMM, RANK, TAG, ARG (partitions < 1), COUNT, TYPE, BUFFER, NO_MEM.""",
     {
         "MPI_Psend_init":
             "const void* buf, int partitions, MPI_Count count, MPI_Datatype datatype, "
             "int dest, int tag, MPI_Comm comm, MPI_Info info, MPI_Request* request",
     }),
    ("""Binds a partitioned receive from one rank.
  buf      partitions * count elements, one segment; the caller asks
source is as dest of MPI_Psend_init, and never MPI_ANY_SOURCE; tag is never MPI_ANY_TAG. The
partitions may be others than the sender's. The status of the completed receive is that of a
message of all elements. Local: it waits for nobody.
4.2.1. Errors: COMM, RANK, TAG, ARG (partitions < 1), COUNT, TYPE, BUFFER, NO_MEM; at completion
TRUNCATE if the sender has another number of bytes.""",
     {
         "MPI_Precv_init":
             "void* buf, int partitions, MPI_Count count, MPI_Datatype datatype, int source, "
             "int tag, MPI_Comm comm, MPI_Info info, MPI_Request* request",
     }),
    ("""Marks one partition of the send side. Local, any thread at every thread level.
4.2.1. Errors: REQUEST, ARG.""",
     {
         "MPI_Pready":
             "int partition, MPI_Request request",
     }),
    ("""Marks partitions low to high, both included. Local, any thread at every thread level.
4.2.1. Errors: REQUEST, ARG.""",
     {
         "MPI_Pready_range":
             "int low, int high, MPI_Request request",
     }),
    ("""Marks the partitions of a list of length numbers. Local, any thread at every thread level.
The mpi.h of MPICH 4.0 and of Open MPI 5 forget the const. 4.2.1. Errors: REQUEST, ARG.""",
     {
         "MPI_Pready_list":
             "int length, const int partitions[], MPI_Request request",
     }),
    ("""Whether one partition of the receive side has arrived. Of an inactive or a null request it has.
Local. 4.2.2. Errors: REQUEST, ARG.""",
     {
         "MPI_Parrived":
             "MPI_Request request, int partition, int* flag",
     }),
    ("""Marks a partition of one segment or of all.
  partition  its number within the segment
  dest       whose segment it is; MPIX_ALL_DESTS: of every segment
Local, any thread at every thread level. VI.A. Errors: REQUEST, ARG, RANK.""",
     {
         "MPIX_Pready_extended":
             "int partition, int dest, MPI_Request* request",
     }),
    ("""Marks a range of partitions of one segment or of all.
  partition_low, partition_high  their numbers within the segment, both included
  dest                           whose segment it is; MPIX_ALL_DESTS: of every segment
Local, any thread at every thread level. VI.A. Errors: REQUEST, ARG, RANK.""",
     {
         "MPIX_Pready_range_extended":
             "int partition_low, int partition_high, int dest, MPI_Request* request",
     }),
    ("""Marks a list of partitions of one segment or of all.
  partitions  length numbers within the segment
  dest        whose segment it is; MPIX_ALL_DESTS: of every segment
Local, any thread at every thread level. VI.A. Errors: REQUEST, ARG, RANK.""",
     {
         "MPIX_Pready_list_extended":
             "int length, const int partitions[], int dest, MPI_Request* request",
     }),
    ("""Whether a partition of one segment or of all has arrived.
  partition  its number within the segment
  source     whose segment it is; MPIX_ALL_SOURCES: of every segment
Of an inactive or a null request it has. Local. VI.A. Errors: REQUEST, ARG, RANK.""",
     {
         "MPIX_Parrived_extended":
             "MPI_Request* request, int partition, int source, int* flag",
     }),
    ("""Waits until every buffer that this process will write into in this round has been started.
It is called after Start and before the first mark, by all ranks of the operation (both ends of a
point-to-point one) or by none. What is marked then finds its receiver waiting. It is never
needed for a right answer. Collective over those ranks, it may block; active operations move
meanwhile. VI.B. Errors: REQUEST.""",
     {
         "MPIX_Pbuf_prepare":
             "MPI_Request request",
     }),
    ("""MPIX_Pbuf_prepare of count requests at once, of any kinds and in any order.
  requests  count active partitioned requests
VI.B. Errors: REQUEST, ARG.""",
     {
         "MPIX_Pbuf_prepareall":
             "int count, MPI_Request requests[]",
     }),
    ("""Whether any partition of a list has arrived.
  partitions  count linear numbers
If one has, flag is true and index is the place in the list of the first that has; if none has,
flag is false and index is MPI_UNDEFINED. What has arrived is found again the next time: the
program takes it off the list. Of an inactive or a null request all have.
Local. After mpi-forum/mpi-issues 537. Errors: REQUEST, ARG.""",
     {
         "MPIX_Parrived_any":
             "MPI_Request request, int count, const int partitions[], int* index, int* flag",
     }),
    ("""Which partitions of a list have arrived.
  partitions  count linear numbers
  indices     room for count; the first outcount are written, places in the list, ascending
What has arrived is found again the next time. Of an inactive or a null request all have.
Local. After mpi-forum/mpi-issues 537. Errors: REQUEST, ARG.""",
     {
         "MPIX_Parrived_some":
             "MPI_Request request, int count, const int partitions[], int* outcount, "
             "int indices[]",
     }),
    ("""Makes a request for one partition of the receive side, by its linear number.
It is active in each round of the operation, also in one that is under way when it is made; Start
of it is an error. The Wait and Test families complete it once the partition has arrived, in one
array with any other requests, with an empty status, and complete nothing else: the operation
needs its own Wait. If nobody completed it, the next Start of the operation makes it one of that
round. MPI_Request_free takes it at any time, active or not, before the operation's or after.
Local. Source: the library's own. Errors: REQUEST, ARG.""",
     {
         "MPIX_Partition_request":
             "MPI_Request request, int partition, MPI_Request* partition_request",
     }),
    ("""Copies the buffer of root to the buffers of the other ranks.
  buf      partitions * count elements, one segment; read at root, written elsewhere
Marks: root. Asks: the others. Same root and same bytes everywhere. In place: no.
V.A, as 6.4. Errors: ROOT, COUNT, TYPE, BUFFER.""",
     {
         "MPIX_Pbcast_init":
             "void* buf, int partitions, MPI_Count count, MPI_Datatype datatype, int root, "
             "MPI_Comm comm, MPI_Info info, MPI_Request* request",
     }),
    ("""Collects a segment of every rank at root, in the order of ranks.
  sendbuf  sendparts * sendcount elements, one segment, everywhere
  recvbuf  n consecutive segments of recvparts * recvcount elements, segment i from rank i;
           matters at root
Marks: every rank, its sendparts. Asks: root, recvparts for each source.
Same root everywhere; same bytes in each segment. In place: sendbuf at root.
V.B, as 6.5. Errors: ROOT, COUNT, TYPE, BUFFER.""",
     {
         "MPIX_Pgather_init":
             "const void* sendbuf, int sendparts, MPI_Count sendcount, MPI_Datatype sendtype, "
             "void* recvbuf, int recvparts, MPI_Count recvcount, MPI_Datatype recvtype, "
             "int root, MPI_Comm comm, MPI_Info info, MPI_Request* request",
     }),
    ("""Pgather with segments of different sizes and places.
  sendbuf  sendparts * sendcount elements, one segment, everywhere
  recvbuf  n segments, segment i of recvparts[i] * recvcounts[i] elements at displs[i]; matters
           at root
Marks: every rank, its sendparts. Asks: root, recvparts[i] for source i.
Same root everywhere; what rank i sends has the bytes of segment i. In place: sendbuf at root.
V.B, as 6.5. Errors: ROOT, COUNT, TYPE, BUFFER.""",
     {
         "MPIX_Pgatherv_init":
             "const void* sendbuf, int sendparts, MPI_Count sendcount, MPI_Datatype sendtype, "
             "void* recvbuf, const int recvparts[], const MPI_Count recvcounts[], "
             "const MPI_Aint displs[], MPI_Datatype recvtype, int root, MPI_Comm comm, "
             "MPI_Info info, MPI_Request* request",
     }),
    ("""Hands out the segments of root's buffer, segment i to rank i.
  sendbuf  n consecutive segments of sendparts * sendcount elements; matters at root
  recvbuf  recvparts * recvcount elements, one segment, everywhere
Marks: root, sendparts for each dest. Asks: every rank, its recvparts.
Same root everywhere; same bytes in each segment. In place: recvbuf at root.
V.A, as 6.6. Errors: ROOT, COUNT, TYPE, BUFFER.""",
     {
         "MPIX_Pscatter_init":
             "const void* sendbuf, int sendparts, MPI_Count sendcount, MPI_Datatype sendtype, "
             "void* recvbuf, int recvparts, MPI_Count recvcount, MPI_Datatype recvtype, "
             "int root, MPI_Comm comm, MPI_Info info, MPI_Request* request",
     }),
    ("""Pscatter with segments of different sizes and places.
  sendbuf  n segments, segment i of sendparts[i] * sendcounts[i] elements at displs[i]; matters
           at root
  recvbuf  recvparts * recvcount elements, one segment, everywhere
Marks: root, sendparts[i] for dest i. Asks: every rank, its recvparts.
Same root everywhere; segment i has the bytes that rank i receives. In place: recvbuf at root.
V.A, as 6.6. Errors: ROOT, COUNT, TYPE, BUFFER.""",
     {
         "MPIX_Pscatterv_init":
             "const void* sendbuf, const int sendparts[], const MPI_Count sendcounts[], "
             "const MPI_Aint displs[], MPI_Datatype sendtype, void* recvbuf, int recvparts, "
             "MPI_Count recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm, "
             "MPI_Info info, MPI_Request* request",
     }),
    ("""Pscatterv with a datatype for each segment; MPI has no unpartitioned form.
  sendbuf  n segments, segment i of sendparts[i] * sendcounts[i] elements of sendtypes[i],
           sdispls[i] bytes in; matters at root
  recvbuf  recvparts * recvcount elements, one segment, everywhere
Marks: root, sendparts[i] for dest i. Asks: every rank, its recvparts.
Same root everywhere; segment i has the bytes that rank i receives. In place: recvbuf at root.
VIII. Errors: ROOT, COUNT, TYPE, BUFFER.""",
     {
         "MPIX_Pscatterw_init":
             "const void* sendbuf, const int sendparts[], const MPI_Count sendcounts[], "
             "const MPI_Aint sdispls[], const MPI_Datatype sendtypes[], void* recvbuf, "
             "int recvparts, MPI_Count recvcount, MPI_Datatype recvtype, int root, "
             "MPI_Comm comm, MPI_Info info, MPI_Request* request",
     }),
    ("""Collects a segment of every rank on all ranks, in the order of ranks.
  sendbuf  sendparts * sendcount elements, one segment, everywhere
  recvbuf  n consecutive segments of recvparts * recvcount elements, segment i from rank i,
           everywhere
Marks: every rank, its sendparts. Asks: every rank, recvparts for each source.
Same bytes everywhere. In place: sendbuf on all ranks.
IV, as 6.7. Errors: COUNT, TYPE, BUFFER.""",
     {
         "MPIX_Pallgather_init":
             "const void* sendbuf, int sendparts, MPI_Count sendcount, MPI_Datatype sendtype, "
             "void* recvbuf, int recvparts, MPI_Count recvcount, MPI_Datatype recvtype, "
             "MPI_Comm comm, MPI_Info info, MPI_Request* request",
     }),
    ("""Pallgather with segments of different sizes and places.
  sendbuf  sendparts * sendcount elements, one segment, everywhere
  recvbuf  n segments, segment i of recvparts[i] * recvcounts[i] elements at displs[i],
           everywhere
Marks: every rank, its sendparts. Asks: every rank, recvparts[i] for source i.
What rank i sends has the bytes of segment i on every rank. In place: sendbuf on all ranks.
IV, as 6.7. Errors: COUNT, TYPE, BUFFER.""",
     {
         "MPIX_Pallgatherv_init":
             "const void* sendbuf, int sendparts, MPI_Count sendcount, MPI_Datatype sendtype, "
             "void* recvbuf, const int recvparts[], const MPI_Count recvcounts[], "
             "const MPI_Aint displs[], MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info, "
             "MPI_Request* request",
     }),
    ("""Sends segment i of every rank to rank i. The paper also spells it MPIX_Palloall_init.
  sendbuf  n consecutive segments of sendparts * sendcount elements, everywhere
  recvbuf  n consecutive segments of recvparts * recvcount elements, segment i from rank i,
           everywhere
Marks: every rank, sendparts for each dest. Asks: every rank, recvparts for each source.
Same bytes everywhere. In place: sendbuf on all ranks; recvbuf's segments are sent and replaced.
V.D, as 6.8. Errors: COUNT, TYPE, BUFFER.""",
     {
         "MPIX_Palltoall_init":
             "const void* sendbuf, int sendparts, MPI_Count sendcount, MPI_Datatype sendtype, "
             "void* recvbuf, int recvparts, MPI_Count recvcount, MPI_Datatype recvtype, "
             "MPI_Comm comm, MPI_Info info, MPI_Request* request",
     }),
    ("""Palltoall with segments of different sizes and places.
  sendbuf  n segments, segment i of sendparts[i] * sendcounts[i] elements at sdispls[i],
           everywhere
  recvbuf  n segments, segment i of recvparts[i] * recvcounts[i] elements at rdispls[i],
           everywhere
Marks: every rank, sendparts[i] for dest i. Asks: every rank, recvparts[i] for source i.
What rank r sends to rank i has the bytes of segment r there. In place: sendbuf on all ranks.
V.D, as 6.8. Errors: COUNT, TYPE, BUFFER.""",
     {
         "MPIX_Palltoallv_init":
             "const void* sendbuf, const int sendparts[], const MPI_Count sendcounts[], "
             "const MPI_Aint sdispls[], MPI_Datatype sendtype, void* recvbuf, "
             "const int recvparts[], const MPI_Count recvcounts[], const MPI_Aint rdispls[], "
             "MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info, MPI_Request* request",
     }),
    ("""Palltoallv with a datatype for each segment.
  sendbuf  n segments, segment i of sendparts[i] * sendcounts[i] elements of sendtypes[i],
           sdispls[i] bytes in, everywhere
  recvbuf  n segments, segment i of recvparts[i] * recvcounts[i] elements of recvtypes[i],
           rdispls[i] bytes in, everywhere
Marks: every rank, sendparts[i] for dest i. Asks: every rank, recvparts[i] for source i.
What rank r sends to rank i has the bytes of segment r there. In place: sendbuf on all ranks.
V.D, as 6.8. Errors: COUNT, TYPE, BUFFER.""",
     {
         "MPIX_Palltoallw_init":
             "const void* sendbuf, const int sendparts[], const MPI_Count sendcounts[], "
             "const MPI_Aint sdispls[], const MPI_Datatype sendtypes[], void* recvbuf, "
             "const int recvparts[], const MPI_Count recvcounts[], const MPI_Aint rdispls[], "
             "const MPI_Datatype recvtypes[], MPI_Comm comm, MPI_Info info, "
             "MPI_Request* request",
     }),
    ("""Combines the vectors of all ranks, element by element, at root.
  sendbuf  partitions * count elements, one segment, everywhere
  recvbuf  partitions * count elements, one segment; matters at root
Marks: every rank, its partitions. Asks: root, its partitions; they have no source but
MPIX_ALL_SOURCES. Same root, op and bytes everywhere; all ranks but root have the same
partitions. In place: sendbuf at root.
V.B, as 6.9.1. Errors: ROOT, COUNT, TYPE, OP, BUFFER.""",
     {
         "MPIX_Preduce_init":
             "const void* sendbuf, void* recvbuf, int partitions, MPI_Count count, "
             "MPI_Datatype datatype, MPI_Op op, int root, MPI_Comm comm, MPI_Info info, "
             "MPI_Request* request",
     }),
    ("""Combines the vectors of all ranks, element by element, on all ranks.
  sendbuf, recvbuf  partitions * count elements, one segment, everywhere
Marks and asks: every rank, its partitions. Same op, partitions and count everywhere. In place:
sendbuf on all ranks.
V.C, as 6.9.6. Errors: COUNT, TYPE, OP, BUFFER.""",
     {
         "MPIX_Pallreduce_init":
             "const void* sendbuf, void* recvbuf, int partitions, MPI_Count count, "
             "MPI_Datatype datatype, MPI_Op op, MPI_Comm comm, MPI_Info info, "
             "MPI_Request* request",
     }),
    ("""Combines the vectors of all ranks and leaves segment i of the result on rank i.
  sendbuf  n consecutive segments of partitions * recvcount elements, everywhere
  recvbuf  partitions * recvcount elements, one segment, everywhere
Marks: every rank, partitions for each dest. Asks: every rank, its partitions. Same op,
partitions and recvcount everywhere. In place: sendbuf on all ranks; recvbuf then holds the n
segments.
V.B, as 6.10.1. Errors: COUNT, TYPE, OP, BUFFER.""",
     {
         "MPIX_Preduce_scatter_block_init":
             "const void* sendbuf, void* recvbuf, int partitions, MPI_Count recvcount, "
             "MPI_Datatype datatype, MPI_Op op, MPI_Comm comm, MPI_Info info, "
             "MPI_Request* request",
     }),
    ("""Preduce_scatter_block with segments of different sizes.
  sendbuf  n consecutive segments, segment i of partitions[i] * recvcounts[i] elements,
           everywhere
  recvbuf  partitions[r] * recvcounts[r] elements on rank r, one segment
Marks: every rank, partitions[i] for dest i. Asks: rank r, its partitions[r]. Same op, partitions
and recvcounts everywhere. In place: sendbuf on all ranks; recvbuf then holds the n segments.
V.B, as 6.10.2. Errors: COUNT, TYPE, OP, BUFFER.""",
     {
         "MPIX_Preduce_scatter_init":
             "const void* sendbuf, void* recvbuf, const int partitions[], "
             "const MPI_Count recvcounts[], MPI_Datatype datatype, MPI_Op op, MPI_Comm comm, "
             "MPI_Info info, MPI_Request* request",
     }),
    ("""Combines on rank r the vectors of ranks 0 to r, element by element.
  sendbuf, recvbuf  partitions * count elements, one segment, everywhere
Marks and asks: every rank, its partitions. Same op, partitions and count everywhere. In place:
sendbuf on all ranks.
IV, as 6.11.1. Errors: COUNT, TYPE, OP, BUFFER.""",
     {
         "MPIX_Pscan_init":
             "const void* sendbuf, void* recvbuf, int partitions, MPI_Count count, "
             "MPI_Datatype datatype, MPI_Op op, MPI_Comm comm, MPI_Info info, "
             "MPI_Request* request",
     }),
    ("""Combines on rank r the vectors of ranks 0 to r - 1, element by element.
  sendbuf  partitions * count elements, one segment, everywhere
  recvbuf  partitions * count elements, one segment, everywhere; that of rank 0 is not touched
Marks and asks: every rank, its partitions; those of rank 0 have arrived at Start. Same op,
partitions and count everywhere. In place: sendbuf on all ranks.
IV, as 6.11.2. Errors: COUNT, TYPE, OP, BUFFER.""",
     {
         "MPIX_Pexscan_init":
             "const void* sendbuf, void* recvbuf, int partitions, MPI_Count count, "
             "MPI_Datatype datatype, MPI_Op op, MPI_Comm comm, MPI_Info info, "
             "MPI_Request* request",
     }),
    ("""Sends one segment to all destinations and receives a segment from every source.
  sendbuf  sendparts * sendcount elements, one segment
  recvbuf  a segment of recvparts * recvcount elements for each source, consecutive
Marks: every rank, its sendparts, once for all destinations. Asks: every rank, recvparts for each
source. Same bytes at both ends of an edge.
V.D, as 8.6.1. Errors: COUNT, TYPE, BUFFER, TOPOLOGY.""",
     {
         "MPIX_Pneighbor_allgather_init":
             "const void* sendbuf, int sendparts, MPI_Count sendcount, MPI_Datatype sendtype, "
             "void* recvbuf, int recvparts, MPI_Count recvcount, MPI_Datatype recvtype, "
             "MPI_Comm comm, MPI_Info info, MPI_Request* request",
     }),
    ("""Pneighbor_allgather with segments of different sizes and places.
  sendbuf  sendparts * sendcount elements, one segment
  recvbuf  a segment for each source i, of recvparts[i] * recvcounts[i] elements at displs[i]
Marks: every rank, its sendparts, once for all destinations. Asks: every rank, recvparts[i] for
source i. Same bytes at both ends of an edge.
V.D, as 8.6.1. Errors: COUNT, TYPE, BUFFER, TOPOLOGY.""",
     {
         "MPIX_Pneighbor_allgatherv_init":
             "const void* sendbuf, int sendparts, MPI_Count sendcount, MPI_Datatype sendtype, "
             "void* recvbuf, const int recvparts[], const MPI_Count recvcounts[], "
             "const MPI_Aint displs[], MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info, "
             "MPI_Request* request",
     }),
    ("""Sends a segment to every destination and receives a segment from every source.
  sendbuf  a segment of sendparts * sendcount elements for each destination, consecutive
  recvbuf  a segment of recvparts * recvcount elements for each source, consecutive
Marks: every rank, sendparts for each dest. Asks: every rank, recvparts for each source. Same
bytes at both ends of an edge.
V.D, as 8.6.2. Errors: COUNT, TYPE, BUFFER, TOPOLOGY.""",
     {
         "MPIX_Pneighbor_alltoall_init":
             "const void* sendbuf, int sendparts, MPI_Count sendcount, MPI_Datatype sendtype, "
             "void* recvbuf, int recvparts, MPI_Count recvcount, MPI_Datatype recvtype, "
             "MPI_Comm comm, MPI_Info info, MPI_Request* request",
     }),
    ("""Pneighbor_alltoall with segments of different sizes and places.
  sendbuf  a segment for each dest i, of sendparts[i] * sendcounts[i] elements at sdispls[i]
  recvbuf  a segment for each source i, of recvparts[i] * recvcounts[i] elements at rdispls[i]
Marks: every rank, sendparts[i] for dest i. Asks: every rank, recvparts[i] for source i. Same
bytes at both ends of an edge.
V.D, as 8.6.2. Errors: COUNT, TYPE, BUFFER, TOPOLOGY.""",
     {
         "MPIX_Pneighbor_alltoallv_init":
             "const void* sendbuf, const int sendparts[], const MPI_Count sendcounts[], "
             "const MPI_Aint sdispls[], MPI_Datatype sendtype, void* recvbuf, "
             "const int recvparts[], const MPI_Count recvcounts[], const MPI_Aint rdispls[], "
             "MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info, MPI_Request* request",
     }),
    ("""Pneighbor_alltoallv with a datatype for each segment.
  sendbuf  a segment for each dest i, of sendparts[i] * sendcounts[i] elements of sendtypes[i],
           sdispls[i] bytes in
  recvbuf  a segment for each source i, of recvparts[i] * recvcounts[i] elements of recvtypes[i],
           rdispls[i] bytes in
Marks: every rank, sendparts[i] for dest i. Asks: every rank, recvparts[i] for source i. Same
bytes at both ends of an edge.
V.D, as 8.6.2. Errors: COUNT, TYPE, BUFFER, TOPOLOGY.""",
     {
         "MPIX_Pneighbor_alltoallw_init":
             "const void* sendbuf, const int sendparts[], const MPI_Count sendcounts[], "
             "const MPI_Aint sdispls[], const MPI_Datatype sendtypes[], void* recvbuf, "
             "const int recvparts[], const MPI_Count recvcounts[], const MPI_Aint rdispls[], "
             "const MPI_Datatype recvtypes[], MPI_Comm comm, MPI_Info info, "
             "MPI_Request* request",
     }),
    ("""Binds `in`, an inactive persistent send or receive, to a channel: *out is this process's end.
Collective over the two processes of the channel; it waits for the other one. Active operations
move meanwhile. P1.""",
     {
         "MPIX_Bind_channel":
             "MPI_Request in, MPI_Request* out, MPI_Info info",
     }),
    ("""Binds n requests, on any communicators; info has n handles, or is null. The other ends may be
bound in another order, in other calls and by other processes. It waits for all. If some cannot
be bound their out[i] is MPI_REQUEST_NULL, and the first error is raised. P1.""",
     {
         "MPIX_Bind_channels":
             "const MPI_Request in[], MPI_Request out[], int n, const MPI_Info info[]",
     }),
    ("""The same without waiting: a completion call on `in` completes the bind, writes *out, and gives a
status with the partner of a receive. Until then `in` can neither be started nor freed, and out
has to stay where it is. An error is that of the completion call; *out is not written then. P1.""",
     {
         "MPIX_Ibind_channel":
             "MPI_Request in, MPI_Request* out, MPI_Info info",
         "MPIX_Ibind_channels":
             "const MPI_Request in[], MPI_Request out[], int n, const MPI_Info info[]",
     }),
    ("""The same with slackness, of 1 or more. P3.""",
     {
         "MPIX_Bind_slack_channel":
             "MPI_Request in, MPI_Request* out, int slackness, MPI_Info info",
         "MPIX_Bind_slack_channels":
             "const MPI_Request in[], MPI_Request out[], int n, const int slackness[], "
             "const MPI_Info info[]",
         "MPIX_Ibind_slack_channel":
             "MPI_Request in, MPI_Request* out, int slackness, MPI_Info info",
         "MPIX_Ibind_slack_channels":
             "const MPI_Request in[], MPI_Request out[], int n, const int slackness[], "
             "const MPI_Info info[]",
     }),
    ("""Ends channels that are inactive, and sets their handles to MPI_REQUEST_NULL. Both ends of each are
unbound, in any order; those that were bound together need not be unbound together. It does not
wait for the other end, which may be used no more. P1. Errors: REQUEST (no channel, or an active
one: then none is ended), COUNT (n < 0), ARG (the array is null).""",
     {
         "MPIX_Unbind_channel":
             "MPI_Request* request",
         "MPIX_Unbind_channels":
             "MPI_Request requests[], int n",
     }),
    ("""The same, done when a completion call on each handle has set it to MPI_REQUEST_NULL. P1.""",
     {
         "MPIX_Iunbind_channel":
             "MPI_Request request, MPI_Info info",
         "MPIX_Iunbind_channels":
             "MPI_Request requests[], int n",
     }),
    ("""One end of a channel, from the arguments of MPI_Send_init and MPI_Recv_init. Local: the partner,
bound in any of the ways above, is found meanwhile, and a completion waits for it. What is wrong
between the two ends is an error of every completion. mpi-forum/mpi-issues #88. Errors of the
arguments: COMM (null), RANK, TAG, COUNT (negative), TYPE (null, or not committed), ARG (request
is null).""",
     {
         "MPIX_Send_channel_init":
             "const void* buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag, "
             "MPI_Comm comm, MPI_Info info, MPI_Request* request",
         "MPIX_Recv_channel_init":
             "void* buf, MPI_Count count, MPI_Datatype datatype, int source, int tag, "
             "MPI_Comm comm, MPI_Info info, MPI_Request* request",
     }),
    ("""Makes one persistent request of n persistent requests.
  requests  n inactive persistent requests, all different: sends and receives of MPI_Send_init
            and its kin, channels, collectives, partitioned operations, bundles, generalized
            requests. They may be on different communicators. The array may change or go after
            the call
Start begins all members, in their order unless MPIX_Bundle_after says otherwise; the bundle
completes when all have. n may be 0. No key of info has a meaning yet. MPI_Request_free of an
inactive bundle leaves its members as they are.
Local, any thread. Proposal 4. Errors: REQUEST, ARG, NO_MEM, and those of the host.""",
     {
         "MPIX_Bundle_init":
             "int n, const MPI_Request requests[], MPI_Info info, MPI_Request* bundle",
     }),
    ("""From now on a member of a bundle starts only when another has completed on this process.
  later, earlier  numbers of members, from 0, in the order of MPIX_Bundle_init
A member may wait for several, and several for one. The bundle is inactive; after an error it
stays as it was.
Local, any thread. Proposal 4. Errors: REQUEST, ARG, NO_MEM.""",
     {
         "MPIX_Bundle_after":
             "MPI_Request bundle, int later, int earlier",
     }),
    ("""Makes a persistent request of functions of the program.
  start_fn   called once in each round: by MPI_Start, or in a bundle when its turn has come
  poll_fn    called again and again after that, until it sets its flag
  query_fn   called once after that, with an empty status to fill: that of the round
  free_fn    called by MPI_Request_free; not at MPI_Finalize
  cancel_fn  called by MPI_Cancel between Start and completion, with whether poll_fn has set its
             flag. The request has to be completed all the same
All get extra_state. The last three may be null; without cancel_fn MPI_Cancel is an error. An
error code that one returns completes the round and is raised by the call that completes the
request; that of free_fn is raised by MPI_Request_free, which frees the request.
poll_fn and query_fn, and in a bundle start_fn, are called within any call that moves active
operations, hence by any thread that is in one, or by the library's own; never two at the same
time. All functions may call MPI, also on requests of the library, and throw nothing. They should
not wait: nothing else of the library's moves but in the calls they make.
Local, any thread. Addendum 6. Errors: ARG, NO_MEM; UNSUPPORTED_OPERATION in a program of
sessions that has made no persistent operation on a communicator before.""",
     {
         "MPIX_Pgrequest_init":
             "MPIX_Pgrequest_start_function* start_fn, MPIX_Pgrequest_poll_function* poll_fn, "
             "MPI_Grequest_query_function* query_fn, MPI_Grequest_free_function* free_fn, "
             "MPI_Grequest_cancel_function* cancel_fn, void* extra_state, MPI_Request* request",
     }),
)
