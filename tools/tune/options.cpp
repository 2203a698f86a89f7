// SPDX-License-Identifier: BSD-3-Clause
#include "tools/tune/options.hpp"

#include <algorithm>

namespace mpix::tune {

namespace {

bool read_option(int letter, const char* value, Options& options) {
    switch (letter) {
    case 'o': return bench::read_operations(value, options.operations);
    case 's': return (options.sizes = bench::read_sizes(value)).has_value();
    case 'f': return !(options.output = value).empty();
    case 'a': return options.append = true;
    case 'q': return options.quick = true;
    case 'h': return options.help = true;
    default: return false;
    }
}

} // namespace

const char* const usage =
    R"(usage: mpirun -n RANKS mpix-tune [option...]

Times the solvers of each operation on these ranks, delegation to the host included, in interleaved
batches, and writes a table for MPIX_TUNING: a line where another solver than the planner's own is
faster by 3 percent or more. docs/tuning.md says more.

  --output FILE  the table (default mpix-tuning.txt)
  --append       keeps what FILE has, and adds to it: lines for other numbers of ranks, say; of
                 lines for the same the last counts
  --ops NAMES    only these operations, separated by commas: allreduce,bcast,...
  --sizes A:B    bytes of one block, from A by factors of 4, and B; multiples of 8 up to 16M; K and
                 M are understood (default 8:1M)
  --quick        8, 4K and 1M bytes, where --sizes says nothing else, and a quarter of the time

Returns 0; 1 if the table cannot be written, or FILE to append to is malformed; 2 for a wrong
command line.
)";

std::optional<Options> read_options(int argc, char** argv, std::string& complaint) {
    const option known[] = {{"ops", required_argument, nullptr, 'o'},
                            {"sizes", required_argument, nullptr, 's'},
                            {"output", required_argument, nullptr, 'f'},
                            {"append", no_argument, nullptr, 'a'},
                            {"quick", no_argument, nullptr, 'q'},
                            {"help", no_argument, nullptr, 'h'},
                            {}};
    Options options;
    complaint = bench::read_line(argc, argv, known, [&](int letter, const char* value) {
        return read_option(letter, value, options);
    });
    return complaint.empty() ? std::optional(options) : std::nullopt;
}

std::vector<std::size_t> sizes(const Options& options) {
    if (options.sizes) return bench::sizes_of(*options.sizes, 4);
    return bench::sizes_of({8, std::size_t{1} << 20}, options.quick ? 512 : 4);
}

bench::Pace pace(const Options& options) {
    bench::Pace pace;
    if (!options.quick) return pace;
    pace.rounds = 5;
    pace.cell_time /= 4;
    return pace;
}

} // namespace mpix::tune
