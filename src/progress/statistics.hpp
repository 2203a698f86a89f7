// SPDX-License-Identifier: BSD-3-Clause
//
// The report of MPIX_STATS=1: what the plans of all ranks did.
#pragma once

#include "host/symbols.hpp"

namespace mpix::progress {

// Counts from now on, with MPIX_STATS=1. Any number of times.
void begin_statistics();

// All ranks of the communicator have MPIX_STATS=1.
void note_counting(MPI_Comm all);

// Brings the counters of all ranks together, and rank 0 prints them; that is collective over
// MPI_COMM_WORLD. Where its ranks have not told each other that all of them count, each that does
// prints its own. Does nothing without MPIX_STATS=1, and the second time.
void report_statistics();

} // namespace mpix::progress
