// SPDX-License-Identifier: BSD-3-Clause
//
// mpix-bench: the host's collectives and those of mpix beside each other, in one run.
#include "options.hpp"
#include "report.hpp"

#include <algorithm>
#include <cstdio>

namespace {

using namespace mpix::bench;

// The JSON or the table on rank 0, nothing elsewhere.
class Output {
  public:
    Output(bool here, bool json) {
        if (here) report_ = json ? make_json() : make_table();
    }
    void begin(const Setting& setting) {
        if (report_) report_->begin(setting);
    }
    void add(const Cell& cell) {
        if (report_) report_->add(cell);
    }
    void end() {
        if (report_) report_->end();
    }

  private:
    std::unique_ptr<Report> report_;
};

bool wanted(const Options& options, const Operation& operation) {
    return options.operations.empty() ||
           std::ranges::find(options.operations, operation.name) != options.operations.end();
}

// False if mpix gave a wrong answer.
bool run(const Options& options) {
    const Placement placement = place_ranks();
    const HostLibrary host;
    const Ranks ranks(host);
    Output output(ranks.rank() == 0, options.json);
    output.begin({host.version(), host.path(), ranks.size(), placement});
    bool right = true;
    for (const Operation& operation : operations()) {
        if (!wanted(options, operation)) continue;
        for (const std::size_t bytes : sizes(options)) {
            const Cell cell = measure(operation, bytes, options.rounds, host, ranks);
            output.add(cell);
            right &= cell.times[mpix_contender].verdict == Verdict::right;
            if (!operation.has_data) break;
        }
    }
    output.end();
    return right;
}

// The process's exit status.
int run_line(int argc, char** argv) {
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    std::string complaint;
    const auto options = read_options(argc, argv, complaint);
    if (options && !options->help) return run(*options) ? 0 : 1;
    if (rank == 0 && !options)
        std::fprintf(stderr, "mpix-bench: %s\n%s", complaint.c_str(), usage);
    else if (rank == 0)
        std::fputs(usage, stdout);
    return options ? 0 : 2;
}

} // namespace

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    const int status = run_line(argc, argv);
    MPI_Finalize();
    return status;
}
