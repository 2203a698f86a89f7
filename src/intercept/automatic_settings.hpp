// SPDX-License-Identifier: BSD-3-Clause
//
// Which communicators have their plain collectives run on plans, as the program says it.
#pragma once

#include "host/symbols.hpp"

namespace mpix::intercept {

int auto_set(MPI_Comm comm, int flag);
// The same by the info key mpix_auto of a communicator, where an info has it.
int comm_set_info(MPI_Comm comm, MPI_Info info);
void heed_info(MPI_Comm comm, MPI_Info info);
int auto_get(MPI_Comm comm, int* flag, int* plans);

} // namespace mpix::intercept
