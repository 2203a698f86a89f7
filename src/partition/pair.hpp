// SPDX-License-Identifier: BSD-3-Clause
//
// Partitioned sends and receives.
#pragma once

#include "collective/arguments.hpp"
#include "progress/operation.hpp"

#include <memory>

namespace mpix::partition {

// One of the two sides of `arguments` is what is sent or received.
struct PairArguments {
    const char* name;
    bool sends;
    int peer; // of the communicator, of the remote group if it has two, or MPI_PROC_NULL
    int tag;
    const collective::Arguments& arguments;
};

// Local. Throws Failure.
std::unique_ptr<progress::Operation> make_end(const PairArguments& pair);

} // namespace mpix::partition
