// SPDX-License-Identifier: BSD-3-Clause
//
// From the segment while it has room and is wanted, else from the host.
#include "intercept/memory.hpp"

#include "intercept/passing.hpp"
#include "node/segment.hpp"
#include "run/settings.hpp"

namespace mpix::intercept {

int alloc_mem(MPI_Aint size, MPI_Info info, void* baseptr) {
    const bool is_wanted = !is_disabled() && run::settings().MPIX_TRANSPORT != "host";
    std::byte* const memory = is_wanted && size > 0 && baseptr
                                  ? node::segment().allocate(static_cast<std::size_t>(size))
                                  : nullptr;
    if (!memory) return HOST(Alloc_mem)(size, info, baseptr);
    *static_cast<void**>(baseptr) = memory;
    return MPI_SUCCESS;
}

int free_mem(void* base) {
    if (!base || !node::is_in_segment(base)) return HOST(Free_mem)(base);
    node::segment().free(static_cast<std::byte*>(base));
    return MPI_SUCCESS;
}

} // namespace mpix::intercept
