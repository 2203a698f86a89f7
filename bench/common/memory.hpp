// SPDX-License-Identifier: BSD-3-Clause
//
// Where a contender's buffers lie. Both kinds begin on a cache line, so that alignment does not
// decide a race.
#pragma once

#include <cstddef>
#include <memory>

namespace mpix::bench {

enum class Memory {
    heap,
    arena, // MPI_Alloc_mem, which mpix serves from memory that the node's ranks share
};

using Room = std::shared_ptr<double[]>;

// Null if there is no such memory.
Room allocate(Memory memory, std::size_t elements);

} // namespace mpix::bench
