// SPDX-License-Identifier: BSD-3-Clause
//
// The subcommands of mpix-bench: what each measures besides the collectives.
#pragma once

#include "bench/common/race_report.hpp"

namespace mpix::bench {

extern const Suite partitioned_suite, channel_suite;

// The process's exit status. Begins MPI and ends it.
int run_suite(const Suite& suite, int argc, char** argv);

} // namespace mpix::bench
