// SPDX-License-Identifier: BSD-3-Clause
//
// mpix-bench: the host's collectives and those of mpix beside each other, in one run.
#include "bench/collectives/options.hpp"
#include "bench/collectives/report.hpp"
#include "bench/common/program.hpp"
#include "bench/common/progress.hpp"
#include "bench/suite.hpp"

#include <cstdio>
#include <string_view>

namespace {

using namespace mpix::bench;
using mpix::Progress;

constexpr int wrong_answer = 1, not_written = 3;

// What is measured: an operation at one size.
struct Piece {
    const Operation* operation;
    std::size_t bytes;
};

std::vector<Piece> pieces(const Options& options, const std::vector<std::size_t>& sizes) {
    std::vector<Piece> all;
    for (const Operation& operation : operations()) {
        if (!options.wants(operation.name)) continue;
        for (const std::size_t bytes : sizes)
            if (operation.has_data || bytes == sizes.front()) all.push_back({&operation, bytes});
    }
    return all;
}

// All that is told of the foreign calls counts as one.
std::size_t count_pieces(const Options& options) {
    return (options.races() ? pieces(options, race_sizes(options)).size() : 0) +
           (options.inits() ? pieces(options, init_sizes(options)).size() : 0) +
           (options.foreign_calls() ? 1 : 0);
}

// The reports on rank 0, nothing elsewhere.
class Output {
  public:
    Output(bool here, const Options& options)
        : progress_(static_cast<int>(count_pieces(options)), stdout, here) {
        if (!here) return;
        reports_.push_back(options.json ? make_json() : make_table(options.medians));
        if (!options.plot.empty()) reports_.push_back(make_plot(options.plot));
        if (!options.html.empty()) reports_.push_back(make_page(options.html, options.command));
    }
    void measuring(const std::string& piece) { progress_.next(piece); }
    void begin(const Setting& setting, const Floors& floors) {
        for (auto& report : reports_) report->begin(setting, floors);
    }
    template<class Row>
    void add(const Row& row) {
        progress_.erase();
        for (auto& report : reports_) report->add(row);
    }
    bool end(double seconds) {
        progress_.erase();
        bool told = true;
        for (auto& report : reports_) told &= report->end(seconds);
        return told;
    }

  private:
    Progress progress_;
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
    for (const Piece& piece : pieces(options_, race_sizes(options_))) {
        output_.measuring(title(*piece.operation, piece.bytes));
        const Cell cell = measure(*piece.operation, piece.bytes, race_contenders(options_),
                                  pace(options_), host_, ranks_);
        output_.add(cell);
        right &= is_answered_right(cell);
    }
    return right;
}

bool Run::inits() {
    bool right = true;
    for (const Piece& piece : pieces(options_, init_sizes(options_))) {
        output_.measuring("inits of " + title(*piece.operation, piece.bytes));
        for (const InitCost& cost :
             measure_inits(*piece.operation, piece.bytes, init_contenders(options_), pace(options_),
                           host_, ranks_)) {
            output_.add(cost);
            right &= cost.verdict != Verdict::wrong;
        }
    }
    return right;
}

bool Run::foreign_calls() {
    bool right = true;
    output_.measuring("calls that are not ours");
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

std::string data_text(const Options& options) {
    return std::string(options.integers ? "integers of 8 bytes" : "doubles") +
           (options.same ? ", the same in all operations of a batch"
                         : ", written anew before every operation");
}

// The process's exit status.
int run(const Options& options) {
    const auto began = Clock::now();
    const Placement placement = place_ranks();
    const HostLibrary host;
    const Ranks ranks(host);
    if (!may_write(options, ranks)) return not_written;
    Output output(ranks.rank() == 0, options);
    output.begin({host.version(), host.path(), ranks.size(), placement, race_contenders(options),
                  data_text(options)},
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
