// SPDX-License-Identifier: BSD-3-Clause
//
// `mpix-bench partitioned`: partitioned operations beside the host's.
#pragma once

namespace mpix::bench {

// Whether the command line asks for it.
bool is_partitioned(int argc, char** argv);

// The process's exit status. Begins MPI and ends it.
int run_partitioned(int argc, char** argv);

} // namespace mpix::bench
