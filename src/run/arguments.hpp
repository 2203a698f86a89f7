// SPDX-License-Identifier: BSD-3-Clause
//
// The arguments of a persistent collective's init, copied and widened, so that one form serves
// MPI_X_init and MPI_X_init_c and outlives the arrays of the program.
#pragma once

#include "host/host.hpp"
#include "run/choice.hpp"
#include "run/collective.hpp"
#include "run/watched.hpp"

#include <cstdint>
#include <vector>

namespace mpix::run {

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
    bool over_host = false; // all its messages, as the info says
    Wish wish = no_wish;
    std::vector<Watched> watched; // with MPIX_CHECK=1
};

} // namespace mpix::run
