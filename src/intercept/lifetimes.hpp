// SPDX-License-Identifier: BSD-3-Clause
//
// Calls that end the life of something a plan may still use, and the class of our error codes.
#pragma once

#include "host/host.hpp"

namespace mpix::intercept {

int type_free(MPI_Datatype* type);
int op_free(MPI_Op* op);
int comm_free(MPI_Comm* comm);
int comm_disconnect(MPI_Comm* comm);
int error_class(int code, int* error_class);

} // namespace mpix::intercept
