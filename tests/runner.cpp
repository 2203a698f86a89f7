// SPDX-License-Identifier: BSD-3-Clause
//
// Signals are the programs': those under MPI have hosts that handle them.
#define CATCH_CONFIG_RUNNER
#define CATCH_CONFIG_NO_POSIX_SIGNALS
#include "runner.hpp"

#include "catch2_reporting.hpp"

#include <vector>

int run_cases(int argc, char** argv, const char* reporter) {
    std::vector<const char*> arguments(argv, argv + argc);
    arguments.insert(arguments.begin() + 1, {"--reporter", reporter});
    Catch::Session session;
    const int wrong =
        session.applyCommandLine(static_cast<int>(arguments.size()), arguments.data());
    return wrong != 0 ? wrong : session.run();
}
