// SPDX-License-Identifier: BSD-3-Clause
// The names of every collective, form by form.
#pragma once

#include "report.hpp"

namespace fuzz {

struct Blocking {
    static constexpr auto barrier = MPI_Barrier;
    static constexpr auto bcast = MPI_Bcast;
    static constexpr auto gather = MPI_Gather;
    static constexpr auto gatherv = MPI_Gatherv;
    static constexpr auto scatter = MPI_Scatter;
    static constexpr auto scatterv = MPI_Scatterv;
    static constexpr auto allgather = MPI_Allgather;
    static constexpr auto allgatherv = MPI_Allgatherv;
    static constexpr auto alltoall = MPI_Alltoall;
    static constexpr auto alltoallv = MPI_Alltoallv;
    static constexpr auto alltoallw = MPI_Alltoallw;
    static constexpr auto reduce = MPI_Reduce;
    static constexpr auto allreduce = MPI_Allreduce;
    static constexpr auto reduce_scatter = MPI_Reduce_scatter;
    static constexpr auto reduce_scatter_block = MPI_Reduce_scatter_block;
    static constexpr auto scan = MPI_Scan;
    static constexpr auto exscan = MPI_Exscan;
    static constexpr auto neighbor_allgather = MPI_Neighbor_allgather;
    static constexpr auto neighbor_allgatherv = MPI_Neighbor_allgatherv;
    static constexpr auto neighbor_alltoall = MPI_Neighbor_alltoall;
    static constexpr auto neighbor_alltoallv = MPI_Neighbor_alltoallv;
    static constexpr auto neighbor_alltoallw = MPI_Neighbor_alltoallw;
};

struct Nonblocking {
    static constexpr auto barrier = MPI_Ibarrier;
    static constexpr auto bcast = MPI_Ibcast;
    static constexpr auto gather = MPI_Igather;
    static constexpr auto gatherv = MPI_Igatherv;
    static constexpr auto scatter = MPI_Iscatter;
    static constexpr auto scatterv = MPI_Iscatterv;
    static constexpr auto allgather = MPI_Iallgather;
    static constexpr auto allgatherv = MPI_Iallgatherv;
    static constexpr auto alltoall = MPI_Ialltoall;
    static constexpr auto alltoallv = MPI_Ialltoallv;
    static constexpr auto alltoallw = MPI_Ialltoallw;
    static constexpr auto reduce = MPI_Ireduce;
    static constexpr auto allreduce = MPI_Iallreduce;
    static constexpr auto reduce_scatter = MPI_Ireduce_scatter;
    static constexpr auto reduce_scatter_block = MPI_Ireduce_scatter_block;
    static constexpr auto scan = MPI_Iscan;
    static constexpr auto exscan = MPI_Iexscan;
    static constexpr auto neighbor_allgather = MPI_Ineighbor_allgather;
    static constexpr auto neighbor_allgatherv = MPI_Ineighbor_allgatherv;
    static constexpr auto neighbor_alltoall = MPI_Ineighbor_alltoall;
    static constexpr auto neighbor_alltoallv = MPI_Ineighbor_alltoallv;
    static constexpr auto neighbor_alltoallw = MPI_Ineighbor_alltoallw;
};

struct Persistent {
    static constexpr auto barrier = MPI_Barrier_init;
    static constexpr auto bcast = MPI_Bcast_init;
    static constexpr auto gather = MPI_Gather_init;
    static constexpr auto gatherv = MPI_Gatherv_init;
    static constexpr auto scatter = MPI_Scatter_init;
    static constexpr auto scatterv = MPI_Scatterv_init;
    static constexpr auto allgather = MPI_Allgather_init;
    static constexpr auto allgatherv = MPI_Allgatherv_init;
    static constexpr auto alltoall = MPI_Alltoall_init;
    static constexpr auto alltoallv = MPI_Alltoallv_init;
    static constexpr auto alltoallw = MPI_Alltoallw_init;
    static constexpr auto reduce = MPI_Reduce_init;
    static constexpr auto allreduce = MPI_Allreduce_init;
    static constexpr auto reduce_scatter = MPI_Reduce_scatter_init;
    static constexpr auto reduce_scatter_block = MPI_Reduce_scatter_block_init;
    static constexpr auto scan = MPI_Scan_init;
    static constexpr auto exscan = MPI_Exscan_init;
    static constexpr auto neighbor_allgather = MPI_Neighbor_allgather_init;
    static constexpr auto neighbor_allgatherv = MPI_Neighbor_allgatherv_init;
    static constexpr auto neighbor_alltoall = MPI_Neighbor_alltoall_init;
    static constexpr auto neighbor_alltoallv = MPI_Neighbor_alltoallv_init;
    static constexpr auto neighbor_alltoallw = MPI_Neighbor_alltoallw_init;
};

struct PersistentLarge {
    static constexpr auto barrier = MPI_Barrier_init; // has no counts
    static constexpr auto bcast = MPI_Bcast_init_c;
    static constexpr auto gather = MPI_Gather_init_c;
    static constexpr auto gatherv = MPI_Gatherv_init_c;
    static constexpr auto scatter = MPI_Scatter_init_c;
    static constexpr auto scatterv = MPI_Scatterv_init_c;
    static constexpr auto allgather = MPI_Allgather_init_c;
    static constexpr auto allgatherv = MPI_Allgatherv_init_c;
    static constexpr auto alltoall = MPI_Alltoall_init_c;
    static constexpr auto alltoallv = MPI_Alltoallv_init_c;
    static constexpr auto alltoallw = MPI_Alltoallw_init_c;
    static constexpr auto reduce = MPI_Reduce_init_c;
    static constexpr auto allreduce = MPI_Allreduce_init_c;
    static constexpr auto reduce_scatter = MPI_Reduce_scatter_init_c;
    static constexpr auto reduce_scatter_block = MPI_Reduce_scatter_block_init_c;
    static constexpr auto scan = MPI_Scan_init_c;
    static constexpr auto exscan = MPI_Exscan_init_c;
    static constexpr auto neighbor_allgather = MPI_Neighbor_allgather_init_c;
    static constexpr auto neighbor_allgatherv = MPI_Neighbor_allgatherv_init_c;
    static constexpr auto neighbor_alltoall = MPI_Neighbor_alltoall_init_c;
    static constexpr auto neighbor_alltoallv = MPI_Neighbor_alltoallv_init_c;
    static constexpr auto neighbor_alltoallw = MPI_Neighbor_alltoallw_init_c;
};

} // namespace fuzz
