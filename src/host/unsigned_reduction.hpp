// SPDX-License-Identifier: BSD-3-Clause
//
// MPI_SUM, MPI_MIN and MPI_MAX on unsigned integers in plain C++, for hosts that get them wrong.
#pragma once

#include "host/symbols.hpp"

#include <cstdint>

namespace mpix::host {

// True if it was one of these and is done: inout = in (op) inout.
bool reduce_unsigned(const void* in, void* inout, int count, MPI_Datatype type, MPI_Op op);

} // namespace mpix::host
