// SPDX-License-Identifier: BSD-3-Clause
//
// Where the life of a file begins and ends: a host may not let two threads in meanwhile.
#pragma once

#include "host/host.hpp"

namespace mpix::intercept {

int file_open(MPI_Comm comm, const char* name, int mode, MPI_Info info, MPI_File* file);
int file_close(MPI_File* file);

} // namespace mpix::intercept
