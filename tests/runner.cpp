// SPDX-License-Identifier: BSD-3-Clause
//
// Signals are the programs': those under MPI have hosts that handle them.
#define CATCH_CONFIG_RUNNER
#define CATCH_CONFIG_NO_POSIX_SIGNALS
#include "runner.hpp"

#include <catch2/catch.hpp>

int run_cases(int argc, char** argv, const char* reporter) {
    Catch::Session session;
    session.configData().reporterName = reporter;
    const int wrong = session.applyCommandLine(argc, argv);
    return wrong != 0 ? wrong : session.run();
}
