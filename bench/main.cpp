// SPDX-License-Identifier: BSD-3-Clause
//
// mpix-bench: the host's collectives and those of mpix beside each other, in one run.
#include "bench/collectives/options.hpp"
#include "bench/collectives/report.hpp"
#include "bench/common/program.hpp"
#include "bench/suite.hpp"

#include <cstdio>
#include <string_view>

namespace {

using namespace mpix::bench;

constexpr int wrong_answer = 1, not_written = 3;

// The reports on rank 0, nothing elsewhere.
class Output {
  public:
    Output(bool here, const Options& options) {
        if (!here) return;
        reports_.push_back(options.json ? make_json() : make_table(options.medians));
        if (!options.plot.empty()) reports_.push_back(make_plot(options.plot));
        if (!options.html.empty()) reports_.push_back(make_page(options.html, options.command));
    }
    void begin(const Setting& setting, const Floors& floors) {
        for (auto& report : reports_) report->begin(setting, floors);
    }
    template<class Row>
    void add(const Row& row) {
        for (auto& report : reports_) report->add(row);
    }
    bool end(double seconds) {
        bool told = true;
        for (auto& report : reports_) told &= report->end(seconds);
        return told;
    }

  private:
    std::vector<std::unique_ptr<Report>> reports_;
};

// The parts of a run, each false if mpix gave a wrong answer in it.
class Run {
  public:
    Run(const Options& options, const HostLibrary& host, const Ranks& ranks, Output& output)
        : options_(options), host_(host), ranks_(ranks), output_(output) {}

    bool races();
    bool inits();
    bool foreign_calls();

  private:
    const Options& options_;
    const HostLibrary& host_;
    const Ranks& ranks_;
    Output& output_;
};

bool Run::races() {
    bool right = true;
    for (const Operation& operation : operations()) {
        if (!options_.wants(operation.name)) continue;
        for (const std::size_t bytes : race_sizes(options_)) {
            const Cell cell =
                measure(operation, bytes, race_contenders(options_), pace(options_), host_, ranks_);
            output_.add(cell);
            for (const Times& times : cell.times)
                right &= !times.contender->ours || times.verdict != Verdict::wrong;
            if (!operation.has_data) break;
        }
    }
    return right;
}

bool Run::inits() {
    bool right = true;
    for (const Operation& operation : operations()) {
        if (!options_.wants(operation.name)) continue;
        for (const std::size_t bytes : init_sizes(options_)) {
            for (const InitCost& cost : measure_inits(operation, bytes, init_contenders(options_),
                                                      pace(options_), host_, ranks_)) {
                output_.add(cost);
                right &= cost.verdict != Verdict::wrong;
            }
            if (!operation.has_data) break;
        }
    }
    return right;
}

bool Run::foreign_calls() {
    bool right = true;
    measure_foreign(pace(options_).rounds, host_, ranks_, [&](const Foreign& foreign) {
        output_.add(foreign);
        right &= foreign.right;
    });
    return right;
}

// Asked before the run, which takes minutes.
bool may_write(const Options& options, const Ranks& ranks) {
    std::string obstacle;
    for (const std::string& file : {options.plot, options.html})
        if (ranks.rank() == 0 && !file.empty() && obstacle.empty())
            obstacle = obstacle_to_write(file);
    if (!obstacle.empty()) std::fprintf(stderr, "mpix-bench: %s\n", obstacle.c_str());
    return ranks.everywhere(obstacle.empty());
}

// The process's exit status.
int run(const Options& options) {
    const auto began = Clock::now();
    const Placement placement = place_ranks();
    const HostLibrary host;
    const Ranks ranks(host);
    if (!may_write(options, ranks)) return not_written;
    Output output(ranks.rank() == 0, options);
    output.begin({host.version(), host.path(), ranks.size(), placement, race_contenders(options)},
                 measure_floors(host, ranks));
    Run parts(options, host, ranks, output);
    bool right = true;
    if (options.races()) right &= parts.races();
    if (options.inits()) right &= parts.inits();
    if (options.foreign_calls()) right &= parts.foreign_calls();
    const bool told = output.end(nanoseconds(Clock::now() - began) / 1e9);
    return !right ? wrong_answer : !told ? not_written : 0;
}

} // namespace

int main(int argc, char** argv) {
    for (const Suite* suite : {&partitioned_suite, &channel_suite})
        if (argc > 1 && std::string_view(argv[1]) == suite->name)
            return run_suite(*suite, argc, argv);
    std::string command; // as it was given
    for (int i = 0; i < argc; ++i) command.append(i > 0 ? " " : "").append(argv[i]);
    MPI_Init(&argc, &argv);
    std::string complaint;
    auto options = read_options(argc, argv, complaint);
    if (options) options->command = command;
    const int status = run_line("mpix-bench", usage, options, complaint, run);
    MPI_Finalize();
    return status;
}
