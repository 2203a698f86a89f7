// SPDX-License-Identifier: BSD-3-Clause
//
// Names and kinds of the collectives.
#include "run/arguments.hpp"

namespace mpix::run {
namespace {

using plan::Kind;

struct Row {
    const char* name;
    Kind kind;
};

constexpr Row rows[] = {
    {"MPI_Barrier_init", Kind::barrier},
    {"MPI_Bcast_init", Kind::bcast},
    {"MPI_Gather_init", Kind::gather},
    {"MPI_Gatherv_init", Kind::gather},
    {"MPI_Scatter_init", Kind::scatter},
    {"MPI_Scatterv_init", Kind::scatter},
    {"MPI_Allgather_init", Kind::allgather},
    {"MPI_Allgatherv_init", Kind::allgather},
    {"MPI_Alltoall_init", Kind::alltoall},
    {"MPI_Alltoallv_init", Kind::alltoall},
    {"MPI_Alltoallw_init", Kind::alltoall},
    {"MPI_Reduce_init", Kind::reduce},
    {"MPI_Allreduce_init", Kind::allreduce},
    {"MPI_Reduce_scatter_init", Kind::reduce_scatter},
    {"MPI_Reduce_scatter_block_init", Kind::reduce_scatter},
    {"MPI_Scan_init", Kind::scan},
    {"MPI_Exscan_init", Kind::exscan},
    {"MPI_Neighbor_allgather_init", Kind::neighbor},
    {"MPI_Neighbor_allgatherv_init", Kind::neighbor},
    {"MPI_Neighbor_alltoall_init", Kind::neighbor},
    {"MPI_Neighbor_alltoallv_init", Kind::neighbor},
    {"MPI_Neighbor_alltoallw_init", Kind::neighbor},
};

const Row& row(Collective collective) { return rows[static_cast<std::size_t>(collective)]; }

} // namespace

const char* name(Collective collective) { return row(collective).name; }
plan::Kind kind(Collective collective) { return row(collective).kind; }
bool is_neighbor(Collective collective) { return kind(collective) == Kind::neighbor; }

bool is_reduction(Collective collective) {
    const Kind of = kind(collective);
    return of == Kind::reduce || of == Kind::allreduce || of == Kind::reduce_scatter ||
           of == Kind::scan || of == Kind::exscan;
}

bool has_root(Collective collective) {
    const Kind of = kind(collective);
    return of == Kind::bcast || of == Kind::gather || of == Kind::scatter || of == Kind::reduce;
}

// Not so the scans and reduce_scatter: MPI 4.1 6.10.2 allows it on some ranks there.
bool is_in_place_everywhere(Collective collective) {
    const Kind of = kind(collective);
    return of == Kind::allgather || of == Kind::alltoall || of == Kind::allreduce ||
           collective == Collective::reduce_scatter_block;
}

} // namespace mpix::run
