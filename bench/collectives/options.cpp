// SPDX-License-Identifier: BSD-3-Clause
#include "bench/collectives/options.hpp"

#include "bench/collectives/operations.hpp"

#include <algorithm>
#include <string_view>

namespace mpix::bench {

namespace {

bool read_contenders(const char* text, Options& options) {
    return read_names(text, [&](const std::string& name) {
        options.contenders.push_back(find_contender(name));
        return options.contenders.back() != nullptr;
    });
}

bool read_option(int letter, const char* value, Options& options) {
    switch (letter) {
    case 'o': return read_operations(value, options.operations);
    case 'c': return read_contenders(value, options);
    case 's': return (options.sizes = read_sizes(value)).has_value();
    case 'r': return read_number(value, 1, 100000, options.rounds.emplace());
    case 'b': return read_number(value, 1, 1000000, options.batch.emplace());
    case 'p': return !(options.plot = value).empty();
    case 't': return !(options.html = value).empty();
    case 'q': return options.quick = true;
    case 'e': return options.same = true;
    case 'n': return options.integers = true;
    case 'm': return options.medians = true;
    case 'j': return options.json = true;
    case 'i': return options.init = true;
    case 'f': return options.foreign = true;
    case 'a': return options.all = true;
    case 'h': return options.help = true;
    default: return false;
    }
}

// In the order of their table, each once.
template<class Wanted>
Kinds kinds_of(const Wanted& wanted) {
    Kinds kinds;
    for (const ContenderKind& kind : contender_kinds)
        if (wanted(kind)) kinds.push_back(&kind);
    return kinds;
}

bool named(const Options& options, const ContenderKind& kind) {
    return std::ranges::find(options.contenders, &kind) != options.contenders.end();
}

} // namespace

std::optional<Options> read_options(int argc, char** argv, std::string& complaint) {
    const option known[] = {{"ops", required_argument, nullptr, 'o'},
                            {"contenders", required_argument, nullptr, 'c'},
                            {"sizes", required_argument, nullptr, 's'},
                            {"rounds", required_argument, nullptr, 'r'},
                            {"plot", required_argument, nullptr, 'p'},
                            {"html", required_argument, nullptr, 't'},
                            {"quick", no_argument, nullptr, 'q'},
                            {"same", no_argument, nullptr, 'e'},
                            {"integers", no_argument, nullptr, 'n'},
                            {"medians", no_argument, nullptr, 'm'},
                            {"json", no_argument, nullptr, 'j'},
                            {"init", no_argument, nullptr, 'i'},
                            {"foreign", no_argument, nullptr, 'f'},
                            {"all", no_argument, nullptr, 'a'},
                            {"help", no_argument, nullptr, 'h'},
                            {"batch", required_argument, nullptr, 'b'},
                            {}};
    Options options;
    complaint = read_line(argc, argv, known, [&](int letter, const char* value) {
        return read_option(letter, value, options);
    });
    if (complaint.empty() && !options.plot.empty() && !options.races())
        complaint = "--plot draws the race, which is not run: give --all";
    return complaint.empty() ? std::optional(options) : std::nullopt;
}

Kinds race_contenders(const Options& options) {
    return kinds_of([&](const ContenderKind& kind) {
        return options.contenders.empty() ? kind.runs_unasked : named(options, kind);
    });
}

Kinds init_contenders(const Options& options) {
    return kinds_of([&](const ContenderKind& kind) {
        return options.contenders.empty() ? (!kind.ours && kind.runs_unasked) || kind.name == "node"
                                          : named(options, kind);
    });
}

std::vector<std::size_t> race_sizes(const Options& options) {
    return sizes_of(options.sizes.value_or(Sizes{8, std::size_t{1} << 20}),
                    options.quick && !options.sizes ? 512 : 8);
}

std::vector<std::size_t> init_sizes(const Options& options) {
    return options.sizes ? sizes_of(*options.sizes, 8) : std::vector<std::size_t>{8, 4096};
}

Pace pace(const Options& options) {
    Pace pace;
    pace.rewrites = !options.same;
    pace.integers = options.integers;
    // A way that is slow to begin with, a pipeline, may be the quickest in the long run, and that
    // is what races choose by.
    pace.fewest_iterations = options.batch.value_or(8);
    pace.rounds = options.rounds.value_or(options.quick ? 5 : pace.rounds);
    if (options.quick) pace.cell_time /= 2;
    return pace;
}

} // namespace mpix::bench
