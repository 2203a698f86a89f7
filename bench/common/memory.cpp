// SPDX-License-Identifier: BSD-3-Clause
#include "bench/common/memory.hpp"

#define OMPI_SKIP_MPICXX 1
#define MPICH_SKIP_MPICXX 1
#include <mpi.h>

#include <cstdlib>

namespace mpix::bench {

namespace {

constexpr std::size_t line = 64;

Room from_heap(std::size_t bytes) {
    return {static_cast<double*>(std::aligned_alloc(line, bytes)),
            [](double* room) { std::free(room); }};
}

// The arena may align less than asked; what is allocated is kept beside what is used.
Room from_arena(std::size_t bytes) {
    void* whole = nullptr;
    if (MPI_Alloc_mem(static_cast<MPI_Aint>(bytes + line), MPI_INFO_NULL, &whole) != MPI_SUCCESS)
        return {};
    void* aligned = whole;
    std::size_t space = bytes + line;
    std::align(line, bytes, aligned, space);
    return {static_cast<double*>(aligned), [whole](double*) { MPI_Free_mem(whole); }};
}

} // namespace

Room allocate(Memory memory, std::size_t elements) {
    const std::size_t lines = elements * sizeof(double) / line + 1;
    return memory == Memory::heap ? from_heap(lines * line) : from_arena(lines * line);
}

} // namespace mpix::bench
