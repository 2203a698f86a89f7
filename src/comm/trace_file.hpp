// SPDX-License-Identifier: BSD-3-Clause
//
// The file of MPIX_TRACE. The processes of the world agree in MPI_Init on who writes it: the first
// that has the variable. Those that have it not record nothing, and take part for the others.
#pragma once

namespace mpix::comm {

// Once the processes have their control communicator. Collective over MPI_COMM_WORLD.
void begin_trace() noexcept;

// The events of all ranks, in one file. Collective over MPI_COMM_WORLD. Does nothing where nobody
// has the variable, and the second time.
void write_trace() noexcept;

} // namespace mpix::comm
