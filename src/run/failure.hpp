// SPDX-License-Identifier: BSD-3-Clause
//
// How an init fails inside the library: an MPI error code, thrown to the entry point, which
// returns it. It never leaves an extern "C" function.
#pragma once

#include "host/host.hpp"

namespace mpix::run {

struct Failure {
    int code;
};

// Throws unless the host call succeeded.
inline void check(int code) {
    if (code != MPI_SUCCESS) throw Failure{code};
}

} // namespace mpix::run
