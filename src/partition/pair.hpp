// SPDX-License-Identifier: BSD-3-Clause
//
// Partitioned sends and receives.
#pragma once

#include "run/arguments.hpp"
#include "run/operation.hpp"

#include <memory>

namespace mpix::partition {

// One of the two sides of `arguments` is what is sent or received.
struct PairArguments {
    const char* name;
    bool sends;
    int peer; // of the communicator, of the remote group if it has two, or MPI_PROC_NULL
    int tag;
    const run::Arguments& arguments;
};

// Local. Throws Failure.
std::unique_ptr<run::Operation> make_end(const PairArguments& pair);

} // namespace mpix::partition
