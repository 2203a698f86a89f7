// SPDX-License-Identifier: BSD-3-Clause
// The runner of every MPI test: all ranks run the same cases in the same order, each prints its own
// failures, and the verdict is that of the worst rank. A run that stands still ends itself and
// names the case.
#include "catch2_reporting.hpp"

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <sstream>
#include <unistd.h>

#include "common/check.hpp"
#include "runner.hpp"

namespace {

char running_case[512] = "none";
int world_rank = 0;

// Only async-signal-safe calls: the process may be anywhere, inside the MPI library too.
void time_is_up(int) {
    const char before[] = "TIME LIMIT in test case: ";
    const char after[] = "\n";
    ssize_t written = write(2, before, sizeof before - 1);
    written += write(2, running_case, strnlen(running_case, sizeof running_case));
    written += write(2, after, sizeof after - 1);
    _exit(written > 0 ? 124 : 125);
}

struct CaseName : catch2::Listener {
    using Base = catch2::Listener;
    using Base::Base;
    void testCaseStarting(const Catch::TestCaseInfo& info) override {
        std::strncpy(running_case, info.name.c_str(), sizeof running_case - 1);
        if (std::getenv("MPIX_TEST_NAMES") != nullptr && world_rank == 0)
            std::fprintf(stderr, "case: %s\n", running_case);
    }
};

// One line a failure, written at once and whole, so that ranks do not mix within a line.
class RankReporter : public catch2::Reporter<RankReporter> {
  public:
    using StreamingReporterBase::StreamingReporterBase;
    static std::string getDescription() { return "failures with the rank that saw them"; }

    void assertionStarting(const Catch::AssertionInfo&) override {}

    catch2::Kept assertionEnded(const Catch::AssertionStats& stats) override {
        if (!stats.assertionResult.isOk()) show(stats);
        return catch2::Kept(true);
    }

    void testRunEnded(const Catch::TestRunStats& stats) override {
        if (world_rank == 0) {
            const auto& cases = stats.totals.testCases;
            std::cout << cases.total() << " cases, " << stats.totals.assertions.total()
                      << " checks on rank 0, " << stats.totals.assertions.failed << " failed\n"
                      << std::flush;
        }
        StreamingReporterBase::testRunEnded(stats);
    }

  private:
    static void show(const Catch::AssertionStats& stats) {
        const auto& result = stats.assertionResult;
        std::ostringstream line;
        line << "[rank " << world_rank << "] " << result.getSourceInfo() << ": " << running_case;
        for (const auto& message : stats.infoMessages) line << " | " << message.message;
        line << "\n[rank " << world_rank << "]   " << result.getExpression();
        if (result.hasExpandedExpression()) line << "  =>  " << result.getExpandedExpression();
        if (result.hasMessage()) line << "  " << result.getMessage();
        line << "\n";
        std::cout << line.str() << std::flush;
    }
};

// What MPIX_TEST_THREADS asks for; the tests use one thread all the same.
int thread_level() {
    const char* name = std::getenv("MPIX_TEST_THREADS");
    const bool is_multiple = name != nullptr && std::strcmp(name, "multiple") == 0;
    return is_multiple ? MPI_THREAD_MULTIPLE : MPI_THREAD_FUNNELED;
}

CATCH_REGISTER_LISTENER(CaseName)
CATCH_REGISTER_REPORTER("ranks", RankReporter)

} // namespace

int main(int argc, char** argv) {
    int provided = MPI_THREAD_SINGLE;
    MPI_Init_thread(&argc, &argv, thread_level(), &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &world_rank);

    const char* limit = std::getenv("MPIX_TEST_LIMIT");
    const int seconds = limit == nullptr ? 0 : std::atoi(limit);
    std::signal(SIGALRM, time_is_up);
    alarm(static_cast<unsigned>(seconds > 0 ? seconds : 120));

    const int failed = run_cases(argc, argv, "ranks");
    int failed_anywhere = 1;
    MPI_Allreduce(&failed, &failed_anywhere, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    if (world_rank == 0 && failed_anywhere == 0) std::cout << "no rank failed\n" << std::flush;
    MPI_Finalize();
    return failed_anywhere != 0 ? 1 : 0;
}
