// SPDX-License-Identifier: BSD-3-Clause
//
// The report of MPIX_STATS: what the plans of all ranks did.
#pragma once

#include "host/symbols.hpp"

namespace mpix::progress {

// Counts from now on, with MPIX_STATS. Any number of times.
void begin_statistics();

// All ranks of the communicator count.
void note_counting(MPI_Comm all);

// Brings the counters of all ranks together, and rank 0 prints or writes them; that is
// collective over MPI_COMM_WORLD. Where its ranks have not told each other that all of them count,
// each that does reports its own. Does nothing without MPIX_STATS, and the second time.
void report_statistics();

} // namespace mpix::progress
