// SPDX-License-Identifier: BSD-3-Clause
//
// The command line.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace mpix::bench {

struct Options {
    std::vector<std::string> operations; // none means all
    std::size_t smallest = 8;            // bytes, multiples of 8
    std::size_t largest = 1 << 20;
    int rounds = 20;
    bool json = false;
    bool help = false;
};

// Nothing if the line is not understood; `complaint` then says what is wrong with it.
std::optional<Options> read_options(int argc, char** argv, std::string& complaint);

// From the smallest by factors of eight, and the largest.
std::vector<std::size_t> sizes(const Options& options);

extern const char* const usage;

} // namespace mpix::bench
