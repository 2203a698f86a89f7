// SPDX-License-Identifier: BSD-3-Clause
#include "bench/common/stencil.hpp"

#include <array>

namespace mpix::bench {
namespace {

// The direction is a number of three digits to base three, without the one in the middle.
int moved(int rank, int ranks, int direction, int sign) {
    std::array<int, 3> sides{};
    MPI_Dims_create(ranks, 3, sides.data());
    int digits = direction < stencil_neighbors / 2 ? direction : direction + 1;
    int to = 0, stride = 1;
    for (const int side : sides) {
        const int step = sign * (digits % 3 - 1);
        to += stride * ((rank % side + step + side) % side);
        digits /= 3;
        rank /= side;
        stride *= side;
    }
    return to;
}

} // namespace

int stencil_to(int rank, int ranks, int direction) { return moved(rank, ranks, direction, 1); }

int stencil_from(int rank, int ranks, int direction) { return moved(rank, ranks, direction, -1); }

MPI_Comm make_stencil(MPI_Comm comm) {
    int rank = 0, ranks = 1;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ranks);
    std::array<int, stencil_neighbors> sources{}, destinations{};
    for (int k = 0; k < stencil_neighbors; ++k) {
        sources[static_cast<std::size_t>(k)] = stencil_from(rank, ranks, k);
        destinations[static_cast<std::size_t>(k)] = stencil_to(rank, ranks, k);
    }
    MPI_Comm made = MPI_COMM_NULL;
    MPI_Dist_graph_create_adjacent(comm, stencil_neighbors, sources.data(), MPI_UNWEIGHTED,
                                   stencil_neighbors, destinations.data(), MPI_UNWEIGHTED,
                                   MPI_INFO_NULL, 0, &made);
    return made;
}

} // namespace mpix::bench
