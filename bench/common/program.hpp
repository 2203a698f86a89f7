// SPDX-License-Identifier: BSD-3-Clause
//
// What programs do with their command line.
#pragma once

#include "bench/common/host_library.hpp"

#include <cstdio>
#include <optional>
#include <string>

namespace mpix::bench {

// The exit status of a program between MPI_Init and MPI_Finalize: of run(options), or of a line
// that is not understood, or only asks for help.
template<class Options, class Run>
int run_line(const char* program, const char* help, const std::optional<Options>& options,
             const std::string& complaint, const Run& run) {
    constexpr int wrong_line = 2;
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (options && !options->help) return run(*options);
    if (rank == 0 && !options)
        std::fprintf(stderr, "%s: %s (--help says more)\n", program, complaint.c_str());
    else if (rank == 0)
        std::fputs(help, stdout);
    return options ? 0 : wrong_line;
}

} // namespace mpix::bench
