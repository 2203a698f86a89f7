// SPDX-License-Identifier: BSD-3-Clause
//
// The inits of partitioned sends and receives. They are local.
#pragma once

#include "host/symbols.hpp"

namespace mpix::intercept {

int psend_init(const void* buf, int partitions, MPI_Count count, MPI_Datatype type, int dest,
               int tag, MPI_Comm comm, MPI_Info info, MPI_Request* request);
int precv_init(void* buf, int partitions, MPI_Count count, MPI_Datatype type, int source, int tag,
               MPI_Comm comm, MPI_Info info, MPI_Request* request);

} // namespace mpix::intercept
