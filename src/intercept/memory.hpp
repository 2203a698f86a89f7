// SPDX-License-Identifier: BSD-3-Clause
//
// MPI_Alloc_mem serves memory that the other ranks of the node can load and store.
#pragma once

#include "host/host.hpp"

namespace mpix::intercept {

int alloc_mem(MPI_Aint size, MPI_Info info, void* baseptr);
int free_mem(void* base);

} // namespace mpix::intercept
