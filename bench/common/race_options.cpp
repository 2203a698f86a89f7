// SPDX-License-Identifier: BSD-3-Clause
#include "bench/common/race_options.hpp"

#include "bench/common/arguments.hpp"

#include <algorithm>

namespace mpix::bench {

namespace {

template<class Number>
bool read_numbers(const char* text, Number least, Number most, std::vector<Number>& numbers) {
    return read_names(text, [&](const std::string& name) {
        return read_number(name, least, most, numbers.emplace_back());
    });
}

bool read_parts(const char* text, const Suite& suite, std::vector<std::string>& names) {
    return read_names(text, [&](const std::string& name) {
        names.push_back(name);
        return std::ranges::find(suite.parts, name, &Part::name) != suite.parts.end();
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

bool read_option(int letter, const char* value, const Suite& suite, PartOptions& options) {
    switch (letter) {
    case 'w': return read_parts(value, suite, options.parts);
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

std::optional<PartOptions> read_part_options(int argc, char** argv, const Suite& suite,
                                             std::string& complaint) {
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
        return read_option(letter, value, suite, options);
    });
    return complaint.empty() ? std::optional(options) : std::nullopt;
}

Pace PartOptions::pace() const {
    Pace pace;
    pace.rounds = rounds.value_or(quick ? 5 : pace.rounds);
    if (quick) pace.cell_time /= 2;
    return pace;
}

} // namespace mpix::bench
