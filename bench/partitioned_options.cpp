// SPDX-License-Identifier: BSD-3-Clause
#include "partitioned_options.hpp"

#include "arguments.hpp"
#include "partitioned_report.hpp"

#include <algorithm>

namespace mpix::bench {

namespace {

template<class Number>
bool read_numbers(const char* text, Number least, Number most, std::vector<Number>& numbers) {
    return read_names(text, [&](const std::string& name) {
        return read_number(name, least, most, numbers.emplace_back());
    });
}

bool read_parts(const char* text, std::vector<std::string>& names) {
    return read_names(text, [&](const std::string& name) {
        names.push_back(name);
        return std::ranges::find(parts(), name, &Part::name) != parts().end();
    });
}

bool read_sizes(const char* text, std::vector<std::size_t>& sizes) {
    return read_numbers(text, std::size_t{8}, std::size_t{16} << 20, sizes) &&
           std::ranges::all_of(sizes, [](std::size_t bytes) { return bytes % 8 == 0; });
}

bool read_contenders(const char* text, std::vector<std::string>& names) {
    return read_names(text, [&](const std::string& name) {
        names.push_back(name);
        return !name.empty();
    });
}

bool read_option(int letter, const char* value, PartOptions& options) {
    switch (letter) {
    case 'w': return read_parts(value, options.parts);
    case 'c': return read_contenders(value, options.contenders);
    case 's': return read_sizes(value, options.sizes);
    case 'p': return read_numbers(value, 1, 4096, options.partitions);
    case 'r': return read_number(value, 1, 100000, options.rounds.emplace());
    case 't': return !(options.transport = value).empty();
    case 'u': return options.multiple = true;
    case 'q': return options.quick = true;
    case 'm': return options.medians = true;
    case 'j': return options.json = true;
    case 'h': return options.help = true;
    default: return false;
    }
}

} // namespace

std::optional<PartOptions> read_part_options(int argc, char** argv, std::string& complaint) {
    const option known[] = {{"parts", required_argument, nullptr, 'w'},
                            {"contenders", required_argument, nullptr, 'c'},
                            {"sizes", required_argument, nullptr, 's'},
                            {"partitions", required_argument, nullptr, 'p'},
                            {"rounds", required_argument, nullptr, 'r'},
                            {"transport", required_argument, nullptr, 't'},
                            {"multiple", no_argument, nullptr, 'u'},
                            {"quick", no_argument, nullptr, 'q'},
                            {"medians", no_argument, nullptr, 'm'},
                            {"json", no_argument, nullptr, 'j'},
                            {"help", no_argument, nullptr, 'h'},
                            {}};
    PartOptions options;
    complaint = read_line(argc, argv, known, [&](int letter, const char* value) {
        return read_option(letter, value, options);
    });
    return complaint.empty() ? std::optional(options) : std::nullopt;
}

Pace PartOptions::pace() const {
    Pace pace;
    pace.rounds = rounds.value_or(quick ? 5 : pace.rounds);
    if (quick) pace.cell_time /= 2;
    return pace;
}

const char* const part_usage =
    R"(usage: mpirun -n RANKS mpix-bench partitioned [option...]

Times partitioned operations of mpix and the host's own partitioned and persistent operations,
called through the host's own symbols, in interleaved batches of one run. What is sent is rewritten
before every operation, and answers are checked. Work is arithmetic, and the writing of the data.

  --parts NAMES what is measured, separated by commas (all):
                send       a message whose partitions are ready at once
                early      a message of 4M in 16 partitions that become ready over 1 ms of work
                pready     a call of MPI_Pready, by one thread and by eight
                allreduce  a vector that is made part by part, and summed
                halo       rows of uneven cost, whose ends the neighbours need
  --contenders NAMES
                only contenders whose names contain one of these: host, mpix, arena
  --sizes LIST  bytes: of the message (send), of a partition (allreduce), of the end of a row (halo);
                multiples of 8 up to 16M; K and M are understood
  --partitions LIST
                how many partitions (send, allreduce)
  --transport host
                mpix sends over the host's messages, within the node too
  --multiple    MPI is begun with MPI_THREAD_MULTIPLE. Without it the host is not called by eight
                threads
  --rounds N    batches of each contender (default 20; fewer where a contender is very slow)
  --quick       fewer sizes and partitions, and 5 rounds
  --medians     the table's figures are of the medians of the batches instead of the minima
  --json        one JSON document, with both, instead of the table

Returns 0; 1 if an answer of mpix was wrong; 2 for a wrong command line.
)";

} // namespace mpix::bench
