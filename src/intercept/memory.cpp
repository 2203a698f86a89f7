// SPDX-License-Identifier: BSD-3-Clause
//
// From the segment while it has room and is wanted, else from the host.
#include "intercept/memory.hpp"

#include "base/settings.hpp"
#include "intercept/errors.hpp"
#include "intercept/passing.hpp"
#include "shmem/segment.hpp"

#include <cstdlib>

namespace mpix::intercept {
namespace {

// What the info asks for. MPI 4, section 10.2.
std::size_t alignment_wanted(MPI_Info info) {
    char text[MPI_MAX_INFO_VAL + 1] = "";
    int found = 0;
    if (info != MPI_INFO_NULL)
        HOST(Info_get)(info, "mpi_minimum_memory_alignment", MPI_MAX_INFO_VAL, text, &found);
    const std::size_t wanted = found ? std::strtoull(text, nullptr, 10) : 0;
    return wanted > shmem::cache_line ? wanted : shmem::cache_line;
}

// Null if the host is to be asked: its memory is taken from the machine when it is touched, that of
// the segment at once.
std::byte* shared_memory(std::size_t bytes, MPI_Info info) {
    if (is_disabled() || base::settings().MPIX_TRANSPORT == "host") return nullptr;
    const std::size_t alignment = alignment_wanted(info);
    const bool is_served = alignment <= shmem::page && (alignment & (alignment - 1)) == 0;
    if (!is_served) return nullptr;
    return shmem::segment().allocate(bytes, alignment, shmem::Holder::program);
}

} // namespace

int alloc_mem(MPI_Aint size, MPI_Info info, void* baseptr) {
    std::byte* const memory =
        size > 0 && baseptr ? shared_memory(static_cast<std::size_t>(size), info) : nullptr;
    if (!memory) return HOST(Alloc_mem)(size, info, baseptr);
    *static_cast<void**>(baseptr) = memory;
    return MPI_SUCCESS;
}

int free_mem(void* base) {
    if (!base || !shmem::is_in_segment(base)) return HOST(Free_mem)(base);
    if (shmem::segment().free(static_cast<std::byte*>(base), shmem::Holder::program))
        return MPI_SUCCESS;
    return raise(MPI_COMM_WORLD, MPI_ERR_BASE,
                 "MPI_Free_mem: base is not what MPI_Alloc_mem returned, or was freed already");
}

} // namespace mpix::intercept
