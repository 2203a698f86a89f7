// SPDX-License-Identifier: BSD-3-Clause
//
// The command lines of several programs: reading them, and the arguments that options take, which
// are numbers, sizes and operations.
#pragma once

#include <getopt.h>

#include <charconv>
#include <cstddef>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace mpix::bench {

struct Sizes {
    std::size_t smallest; // bytes, multiples of 8
    std::size_t largest;
};

// "A:B" or "A".
std::optional<Sizes> read_sizes(std::string_view text);

// From the smallest by equal factors, and the largest.
std::vector<std::size_t> sizes_of(const Sizes& sizes, std::size_t factor);

// False unless all are operations, and there is one.
bool read_operations(const char* text, std::vector<std::string>& operations);

// No operations mean all.
bool is_wanted(std::string_view operation, const std::vector<std::string>& operations);

// "8", "4K", "1M".
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

// Names separated by commas; each must be taken, and there must be one.
template<class Take>
bool read_names(const char* text, const Take& take) {
    std::istringstream list(text);
    int names = 0;
    for (std::string name; std::getline(list, name, ','); ++names)
        if (!take(name)) return false;
    return names > 0;
}

// Calls read(letter, argument) for each option. What is wrong with the line, or nothing.
template<class Read>
std::string read_line(int argc, char** argv, const option known[], const Read& read) {
    const auto no_sense = [](const char* word) {
        return std::string("cannot make sense of '") + word + "'";
    };
    opterr = 0;
    for (int letter; (letter = getopt_long(argc, argv, "", known, nullptr)) != -1;)
        if (!read(letter, optarg)) return no_sense(argv[optind - 1]);
    return optind == argc ? std::string() : no_sense(argv[optind]);
}

} // namespace mpix::bench
