// SPDX-License-Identifier: BSD-3-Clause
//
// The table of our requests: carrier handle to operation. Those with partitions are in another one
// too, for threads that mark.
#pragma once

#include "intercept/handle_table.hpp"
#include "progress/operation.hpp"

namespace mpix::intercept {

using Handles = HandleTable<progress::Operation>;

extern base::Immortal<Handles> the_handles;
inline Handles& handles() { return the_handles.value; }

// A request for the operation. Throws Failure, bad_alloc.
MPI_Request make_request(std::unique_ptr<progress::Operation> operation);

// Takes the request out of the tables, before the host can use its handle again. Under the guard.
std::unique_ptr<progress::Operation> remove_request(MPI_Request request);

} // namespace mpix::intercept
