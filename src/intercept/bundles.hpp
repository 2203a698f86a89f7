// SPDX-License-Identifier: BSD-3-Clause
//
// Bundles and persistent generalized requests, as the program calls them; and starting what has to
// do with them.
#pragma once

#include "run/operation.hpp"

namespace mpix::intercept {

int bundle_init(int n, const MPI_Request requests[], MPI_Info info, MPI_Request* bundle);
int bundle_after(MPI_Request bundle, int later, int earlier);
int pgrequest_init(int (*start)(void*), int (*poll)(void*, int*),
                   MPI_Grequest_query_function* query, MPI_Grequest_free_function* free,
                   MPI_Grequest_cancel_function* cancel, void* extra_state, MPI_Request* request);

// Start of an operation that is not plain. Under the engine's guard.
int start_bundled(run::Operation& operation, const char* call);

} // namespace mpix::intercept
