// SPDX-License-Identifier: BSD-3-Clause
//
// The arguments of a persistent collective's init, copied and widened, so that one form serves
// MPI_X_init and MPI_X_init_c and outlives the arrays of the program.
#pragma once

#include "host/host.hpp"
#include "plan/problem.hpp"
#include "run/watched.hpp"

#include <cstdint>
#include <vector>

namespace mpix::run {

enum class Collective : std::uint8_t {
    barrier,
    bcast,
    gather,
    gatherv,
    scatter,
    scatterv,
    allgather,
    allgatherv,
    alltoall,
    alltoallv,
    alltoallw,
    reduce,
    allreduce,
    reduce_scatter,
    reduce_scatter_block,
    scan,
    exscan,
    neighbor_allgather,
    neighbor_allgatherv,
    neighbor_alltoall,
    neighbor_alltoallv,
    neighbor_alltoallw,
};

const char* name(Collective collective); // "MPI_Bcast_init"
plan::Kind kind(Collective collective);
bool is_neighbor(Collective collective);
bool is_reduction(Collective collective);
bool has_root(Collective collective);
// MPI_IN_PLACE is given on all ranks or on none.
bool is_in_place_everywhere(Collective collective);

// One side of the operation: a buffer of blocks. Blocks follow each other if there are no
// displacements, and are all alike if there is one count and one type.
struct Side {
    std::byte* buffer = nullptr;
    bool in_place = false;
    bool in_bytes = false; // displacements are bytes (alltoallw), not elements
    std::vector<std::int64_t> counts;
    std::vector<std::int64_t> displacements;
    std::vector<MPI_Datatype> types;

    std::int64_t count(std::size_t i) const { return counts[counts.size() > 1 ? i : 0]; }
    MPI_Datatype type(std::size_t i) const { return types[types.size() > 1 ? i : 0]; }
};

struct Arguments {
    Collective collective = Collective::barrier;
    Side send;
    Side recv; // also the one buffer of bcast
    MPI_Op op = MPI_OP_NULL;
    int root = 0;
    MPI_Comm comm = MPI_COMM_NULL;
    bool over_host = false;       // all its messages, as the info says
    std::vector<Watched> watched; // with MPIX_CHECK=1
};

} // namespace mpix::run
