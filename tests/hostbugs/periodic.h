/* SPDX-License-Identifier: BSD-3-Clause
 * A periodic ring of the first `length` ranks, and the check that block s arrives in block s ^ 1.
 * Reference: MPI 4.1, section 8.6; mpi-forum/mpi-issues #153, open-mpi/ompi #14416, pmodels/mpich
 * #7945. */
#ifndef HOSTBUGS_PERIODIC_H
#define HOSTBUGS_PERIODIC_H

#include "common.h"

enum exchange { ALLTOALL, ALLTOALLV, ALLTOALLW };

static void check_ring(int length, enum exchange kind) {
    int dims[1] = {length}, periods[1] = {1}, before, after, me;
    int out[2], in[2] = {-1, -1}, counts[2] = {1, 1}, displs[2] = {0, 1};
    MPI_Aint offsets[2] = {0, sizeof(int)};
    MPI_Datatype types[2] = {MPI_INT, MPI_INT};
    MPI_Comm ring;
    MPI_Request request;
    MPI_Cart_create(MPI_COMM_WORLD, 1, dims, periods, 0, &ring);
    if (ring == MPI_COMM_NULL) return;
    MPI_Comm_rank(ring, &me);
    MPI_Cart_shift(ring, 0, 1, &before, &after);
    out[0] = 10 * me;     /* to the process before, where it arrives as what comes from after */
    out[1] = 10 * me + 1; /* to the process after, where it arrives as what comes from before */
    if (kind == ALLTOALL)
        MPI_Neighbor_alltoall_init(out, 1, MPI_INT, in, 1, MPI_INT, ring, MPI_INFO_NULL, &request);
    else if (kind == ALLTOALLV)
        MPI_Neighbor_alltoallv_init(out, counts, displs, MPI_INT, in, counts, displs, MPI_INT, ring,
                                    MPI_INFO_NULL, &request);
    else
        MPI_Neighbor_alltoallw_init(out, counts, offsets, types, in, counts, offsets, types, ring,
                                    MPI_INFO_NULL, &request);
    MPI_Start(&request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    expect(in[0] == 10 * before + 1, "block from the process before", in[0]);
    expect(in[1] == 10 * after, "block from the process after", in[1]);
    MPI_Request_free(&request);
    MPI_Comm_free(&ring);
}

#endif
