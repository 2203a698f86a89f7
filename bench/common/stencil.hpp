// SPDX-License-Identifier: BSD-3-Clause
//
// The neighbours of a stencil of 27 points: a periodic grid of three dimensions, each rank with the
// 26 around it, some of which are one rank, or itself, where the grid is small.
#pragma once

#include <mpi.h>

namespace mpix::bench {

inline constexpr int stencil_neighbors = 26;

// The one in that direction, and the one in the opposite direction.
int stencil_to(int rank, int ranks, int direction);
int stencil_from(int rank, int ranks, int direction);

// Block k goes to the one in direction k, and comes from the one in the opposite direction.
MPI_Comm make_stencil(MPI_Comm comm);

} // namespace mpix::bench
