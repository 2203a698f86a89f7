// SPDX-License-Identifier: BSD-3-Clause
#include "options.hpp"

#include "operations.hpp"

#include <getopt.h>

#include <charconv>
#include <sstream>
#include <string_view>

namespace mpix::bench {

const char* const usage =
    "usage: mpirun -n RANKS mpix-bench [--op NAME[,NAME...]] [--sizes A:B] [--rounds N] [--json]\n"
    "\n"
    "Times the host MPI's collectives (blocking, nonblocking and persistent) and those of mpix\n"
    "in interleaved batches of one run, checks their answers, and prints for each operation and\n"
    "size the minimum and median time and the ratio of the best host contender to mpix.\n"
    "\n"
    "  --op NAME     only these operations: barrier, bcast, gather, scatter, allgather, alltoall,\n"
    "                reduce, allreduce, reduce_scatter_block, scan, exscan, neighbor_alltoall\n"
    "  --sizes A:B   bytes of one block (one count of the call), from A by factors of 8, and B;\n"
    "                multiples of 8, K and M are understood (default 8:1M)\n"
    "  --rounds N    batches of each contender (default 20; fewer where the host is very slow)\n"
    "  --json        one JSON document instead of the table\n"
    "\n"
    "Returns 0, 1 if mpix gave a wrong answer, 2 for a wrong command line.\n";

namespace {

template<class Number>
bool read_number(std::string_view text, Number least, Number most, Number& value) {
    Number factor = 1;
    if (!text.empty() && (text.back() == 'K' || text.back() == 'M')) {
        factor = text.back() == 'K' ? Number{1} << 10 : Number{1} << 20;
        text.remove_suffix(1);
    }
    Number number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || end != text.data() + text.size()) return false;
    if (number > most / factor || number * factor < least) return false;
    value = number * factor;
    return true;
}

bool read_sizes(std::string_view text, Options& options) {
    constexpr std::size_t most = std::size_t{1} << 30;
    const auto colon = text.find(':');
    const auto first = text.substr(0, colon);
    const auto second = colon == text.npos ? first : text.substr(colon + 1);
    return read_number(first, std::size_t{8}, most, options.smallest) &&
           read_number(second, options.smallest, most, options.largest) &&
           options.smallest % sizeof(double) == 0 && options.largest % sizeof(double) == 0;
}

bool read_operations(const char* text, Options& options) {
    std::istringstream list(text);
    for (std::string name; std::getline(list, name, ',');) {
        if (!find_operation(name)) return false;
        options.operations.push_back(name);
    }
    return !options.operations.empty();
}

bool read_option(int letter, const char* value, Options& options) {
    switch (letter) {
    case 'o': return read_operations(value, options);
    case 's': return read_sizes(value, options);
    case 'r': return read_number(value, 1, 100000, options.rounds);
    case 'j': return options.json = true;
    case 'h': return options.help = true;
    default: return false;
    }
}

} // namespace

std::optional<Options> read_options(int argc, char** argv, std::string& complaint) {
    const option known[] = {
        {"op", required_argument, nullptr, 'o'},     {"sizes", required_argument, nullptr, 's'},
        {"rounds", required_argument, nullptr, 'r'}, {"json", no_argument, nullptr, 'j'},
        {"help", no_argument, nullptr, 'h'},         {}};
    Options options;
    opterr = 0;
    for (int letter; (letter = getopt_long(argc, argv, "", known, nullptr)) != -1;) {
        if (read_option(letter, optarg, options)) continue;
        complaint = std::string("cannot make sense of '") + argv[optind - 1] + "'";
        return std::nullopt;
    }
    if (optind == argc) return options;
    complaint = std::string("cannot make sense of '") + argv[optind] + "'";
    return std::nullopt;
}

std::vector<std::size_t> sizes(const Options& options) {
    std::vector<std::size_t> list;
    for (std::size_t bytes = options.smallest; bytes < options.largest; bytes *= 8)
        list.push_back(bytes);
    list.push_back(options.largest);
    return list;
}

} // namespace mpix::bench
