// SPDX-License-Identifier: BSD-3-Clause
//
// The edges of a neighbourhood collective as seen from this process.
#pragma once

#include "host/host.hpp"

#include <cstddef>
#include <vector>

namespace mpix::collective {

struct Neighbor {
    int rank;
    std::size_t block; // its block in the buffer
};

// In an order in which the k-th edge to a rank matches the k-th edge from it. Edges to
// MPI_PROC_NULL are left out.
struct Neighborhood {
    std::vector<Neighbor> sources;
    std::vector<Neighbor> destinations;
    std::size_t indegree = 0; // with those to MPI_PROC_NULL
    std::size_t outdegree = 0;
};

// The neighbourhood of a communicator with a topology. Local. Throws where there is none.
Neighborhood neighborhood(MPI_Comm comm);

} // namespace mpix::collective
