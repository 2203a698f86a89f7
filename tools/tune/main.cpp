// SPDX-License-Identifier: BSD-3-Clause
//
// mpix-tune: measures which solver is fastest where, and writes a table for MPIX_TUNING.
#include "bench/common/cores.hpp"
#include "bench/common/program.hpp"
#include "bench/common/progress.hpp"
#include "tools/tune/options.hpp"
#include "tools/tune/table.hpp"
#include "tools/tune/trial.hpp"

#include <cmath>
#include <cstdio>
#include <cstdlib>

namespace {

using namespace mpix;
using namespace mpix::tune;

constexpr int not_written = 1;

class Run {
  public:
    Run(const Options& options, const bench::HostLibrary& host, const bench::Ranks& ranks)
        : options_(options), host_(host), ranks_(ranks), trial_(host, ranks, pace(options)),
          one_node_(trial_.is_one_node()), progress_(count_cells(), stderr, speaks()) {}

    void measure();
    bool write() const; // on rank 0
    void summarize() const;

  private:
    bool speaks() const { return ranks_.rank() == 0; }
    std::vector<std::size_t> sizes_of(const bench::Operation& operation) const {
        return operation.has_data ? sizes(options_) : std::vector<std::size_t>{8};
    }
    int count_cells() const;
    void measure(const bench::Operation& operation);
    void note(const bench::Operation& operation, std::size_t bytes, const Finding& finding);

    const Options& options_;
    const bench::HostLibrary& host_;
    const bench::Ranks& ranks_;
    const Trial trial_;
    const bool one_node_;
    Progress progress_;
    std::vector<plan::Rule> rules_;
    int cells_ = 0;
    int changed_ = 0;
    double logarithms_ = 0; // of the gains
};

void Run::note(const bench::Operation& operation, std::size_t bytes, const Finding& finding) {
    ++cells_;
    if (finding.fastest != finding.usual) {
        ++changed_;
        logarithms_ += std::log(finding.gain);
    }
    if (!speaks()) return;
    progress_.erase();
    std::fprintf(stderr, "%-20s %8zu  %s", std::string(operation.name).c_str(),
                 operation.has_data ? bytes : 0, finding.usual.name().data());
    if (finding.fastest != finding.usual)
        std::fprintf(stderr, " -> %s, %.2f times as fast", finding.fastest.name().data(),
                     finding.gain);
    std::fputc('\n', stderr);
}

void Run::measure(const bench::Operation& operation) {
    std::vector<std::size_t> of_blocks = sizes_of(operation);
    std::vector<Finding> findings;
    for (const std::size_t bytes : of_blocks) {
        progress_.next(bench::title(operation, bytes));
        findings.push_back(trial_.run(operation, bytes));
        note(operation, bytes, findings.back());
    }
    if (!operation.has_data) of_blocks.clear();
    for (const plan::Rule& rule : rules(*plan::find_collective(operation.name), ranks_.size(),
                                        one_node_, of_blocks, findings))
        rules_.push_back(rule);
}

int Run::count_cells() const {
    std::size_t cells = 0;
    for (const bench::Operation& operation : bench::operations())
        if (options_.wants(operation.name)) cells += sizes_of(operation).size();
    return static_cast<int>(cells);
}

void Run::measure() {
    for (const bench::Operation& operation : bench::operations())
        if (options_.wants(operation.name)) measure(operation);
}

bool Run::write() const {
    if (!speaks()) return true;
    const std::string heading = "mpix-tune: " + std::to_string(ranks_.size()) + " ranks, " +
                                (one_node_ ? "one node, " : "several nodes, ") + host_.version();
    if (tune::write(options_.output, options_.append, heading, rules_)) return true;
    std::fprintf(stderr, "mpix-tune: %s is not written\n", options_.output.c_str());
    return false;
}

void Run::summarize() const {
    if (!speaks()) return;
    std::fprintf(stderr, "%d of %d cells changed", changed_, cells_);
    if (changed_ > 0)
        std::fprintf(stderr, ", %.2f times as fast (geometric mean)",
                     std::exp(logarithms_ / changed_));
    std::fprintf(stderr, "; %zu lines in %s\n", rules_.size(), options_.output.c_str());
}

// The process's exit status. A table is tried before the run, which takes minutes.
int tune_all(const Options& options) {
    const bench::Placement placement = bench::place_ranks();
    const bench::HostLibrary host;
    const bench::Ranks ranks(host);
    std::string obstacle;
    if (ranks.rank() == 0) obstacle = tune::obstacle(options.output, options.append);
    if (!obstacle.empty()) std::fprintf(stderr, "mpix-tune: %s\n", obstacle.c_str());
    if (!ranks.everywhere(obstacle.empty())) return not_written;
    if (ranks.rank() == 0 && !placement.core_each)
        std::fputs("mpix-tune: ranks are not bound to cores; times will vary\n", stderr);
    Run run(options, host, ranks);
    run.measure();
    if (!ranks.everywhere(run.write())) return not_written;
    run.summarize();
    return 0;
}

} // namespace

// What would choose instead of the planner is not there to be compared with.
int main(int argc, char** argv) {
    unsetenv("MPIX_PLAN");
    unsetenv("MPIX_TUNING");
    MPI_Init(&argc, &argv);
    std::string complaint;
    const auto options = read_options(argc, argv, complaint);
    const int status = bench::run_line("mpix-tune", usage, options, complaint, tune_all);
    MPI_Finalize();
    return status;
}
