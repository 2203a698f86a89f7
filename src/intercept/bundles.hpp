// SPDX-License-Identifier: BSD-3-Clause
//
// Bundles and persistent generalized requests, as the program calls them; and starting what has to
// do with them.
#pragma once

#include "progress/operation.hpp"

#include <string>

namespace mpix::intercept {

int bundle_init(int n, const MPI_Request requests[], MPI_Info info, MPI_Request* bundle);
int bundle_after(MPI_Request bundle, int later, int earlier);
int pgrequest_init(int (*start)(void*), int (*poll)(void*, int*),
                   MPI_Grequest_query_function* query, MPI_Grequest_free_function* free,
                   MPI_Grequest_cancel_function* cancel, void* extra_state, MPI_Request* request);

struct Fault {
    int error_class = MPI_SUCCESS;
    std::string text;
};

// Start of an operation that does not start alone. Under the engine's guard: what is wrong is
// raised by who has let go of that.
Fault start_bundled(progress::Operation& operation);

} // namespace mpix::intercept
