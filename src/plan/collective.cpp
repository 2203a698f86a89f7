// SPDX-License-Identifier: BSD-3-Clause
//
// Names and kinds of the collectives.
#include "plan/collective.hpp"

#include <algorithm>
#include <iterator>

namespace mpix::plan {
namespace {

using plan::Kind;

struct Row {
    const char* name;
    const char* partitioned; // its name with partitions
    std::string_view short_name;
    Kind kind;
};

constexpr Row rows[] = {
    {"MPI_Barrier_init", nullptr, "barrier", Kind::barrier},
    {"MPI_Bcast_init", "MPIX_Pbcast_init", "bcast", Kind::bcast},
    {"MPI_Gather_init", "MPIX_Pgather_init", "gather", Kind::gather},
    {"MPI_Gatherv_init", "MPIX_Pgatherv_init", "gatherv", Kind::gather},
    {"MPI_Scatter_init", "MPIX_Pscatter_init", "scatter", Kind::scatter},
    {"MPI_Scatterv_init", "MPIX_Pscatterv_init", "scatterv", Kind::scatter},
    {"MPI_Allgather_init", "MPIX_Pallgather_init", "allgather", Kind::allgather},
    {"MPI_Allgatherv_init", "MPIX_Pallgatherv_init", "allgatherv", Kind::allgather},
    {"MPI_Alltoall_init", "MPIX_Palltoall_init", "alltoall", Kind::alltoall},
    {"MPI_Alltoallv_init", "MPIX_Palltoallv_init", "alltoallv", Kind::alltoall},
    {"MPI_Alltoallw_init", "MPIX_Palltoallw_init", "alltoallw", Kind::alltoall},
    {"MPI_Reduce_init", "MPIX_Preduce_init", "reduce", Kind::reduce},
    {"MPI_Allreduce_init", "MPIX_Pallreduce_init", "allreduce", Kind::allreduce},
    {"MPI_Reduce_scatter_init", "MPIX_Preduce_scatter_init", "reduce_scatter",
     Kind::reduce_scatter},
    {"MPI_Reduce_scatter_block_init", "MPIX_Preduce_scatter_block_init", "reduce_scatter_block",
     Kind::reduce_scatter},
    {"MPI_Scan_init", "MPIX_Pscan_init", "scan", Kind::scan},
    {"MPI_Exscan_init", "MPIX_Pexscan_init", "exscan", Kind::exscan},
    {"MPI_Neighbor_allgather_init", "MPIX_Pneighbor_allgather_init", "neighbor_allgather",
     Kind::neighbor},
    {"MPI_Neighbor_allgatherv_init", "MPIX_Pneighbor_allgatherv_init", "neighbor_allgatherv",
     Kind::neighbor},
    {"MPI_Neighbor_alltoall_init", "MPIX_Pneighbor_alltoall_init", "neighbor_alltoall",
     Kind::neighbor},
    {"MPI_Neighbor_alltoallv_init", "MPIX_Pneighbor_alltoallv_init", "neighbor_alltoallv",
     Kind::neighbor},
    {"MPI_Neighbor_alltoallw_init", "MPIX_Pneighbor_alltoallw_init", "neighbor_alltoallw",
     Kind::neighbor},
    {"MPI_Scatterw_init", "MPIX_Pscatterw_init", "scatterw", Kind::scatter},
};

const Row& row(Collective collective) { return rows[static_cast<std::size_t>(collective)]; }

} // namespace

const char* name(Collective collective) { return row(collective).name; }
const char* name(Call call) {
    return call.is_partitioned ? row(call.collective).partitioned : row(call.collective).name;
}
std::string_view short_name(Collective collective) { return row(collective).short_name; }

std::optional<Collective> find_collective(std::string_view word) {
    const auto found = std::ranges::find(rows, word, &Row::short_name);
    if (found == std::end(rows) || found - rows == static_cast<int>(Collective::scatterw))
        return std::nullopt; // nobody could tune it
    return static_cast<Collective>(found - rows);
}

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

} // namespace mpix::plan
