// SPDX-License-Identifier: BSD-3-Clause
//
// How an init fails inside the library: an MPI error code, thrown to the entry point, which
// returns it. It never leaves an extern "C" function.
#pragma once

#include "host/host.hpp"

namespace mpix::host {

struct Failure {
    int code;
    bool is_raised = false; // the host has called the program's error handler already
};

// Throws unless the host call succeeded.
inline void check(int code) {
    if (code != MPI_SUCCESS) throw Failure{code};
}

// The same for a host call on the program's own communicator.
inline void check_raised(int code) {
    if (code != MPI_SUCCESS) throw Failure{code, true};
}

} // namespace mpix::host
