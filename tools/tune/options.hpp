// SPDX-License-Identifier: BSD-3-Clause
//
// The command line of mpix-tune.
#pragma once

#include "bench/collectives/measure.hpp"
#include "bench/common/arguments.hpp"

#include <optional>
#include <string>
#include <vector>

namespace mpix::tune {

struct Options {
    std::vector<std::string> operations; // none means all
    std::optional<bench::Sizes> sizes;
    std::string output = "mpix-tuning.txt";
    bool append = false;
    bool quick = false;
    bool help = false;

    bool wants(std::string_view operation) const { return bench::is_wanted(operation, operations); }
};

// Nothing if the line is not understood; `complaint` then says what is wrong with it.
std::optional<Options> read_options(int argc, char** argv, std::string& complaint);

std::vector<std::size_t> sizes(const Options& options);
bench::Pace pace(const Options& options);

extern const char* const usage;

} // namespace mpix::tune
