// SPDX-License-Identifier: BSD-3-Clause
//
// The command line.
#pragma once

#include "bench/collectives/contenders.hpp"
#include "bench/collectives/measure.hpp"
#include "bench/common/arguments.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace mpix::bench {

struct Options {
    std::vector<std::string> operations; // none means all
    Kinds contenders;                    // none means all, or those a part is meant for
    std::optional<Sizes> sizes;
    std::optional<int> rounds, batch;
    std::string plot, html; // a file's name, or nothing
    std::string command;    // the whole line, to be shown
    bool quick = false;
    bool same = false;
    bool integers = false;
    bool medians = false;
    bool json = false;
    bool init = false;
    bool foreign = false;
    bool all = false;
    bool help = false;

    bool races() const { return all || !(init || foreign); }
    bool inits() const { return all || init; }
    bool foreign_calls() const { return all || foreign; }
    bool wants(std::string_view operation) const { return is_wanted(operation, operations); }
};

// Nothing if the line is not understood; `complaint` then says what is wrong with it.
std::optional<Options> read_options(int argc, char** argv, std::string& complaint);

// What the options come to: in the order of contender_kinds, and the sizes from the smallest by
// equal factors, and the largest.
Kinds race_contenders(const Options& options);
Kinds init_contenders(const Options& options);
std::vector<std::size_t> race_sizes(const Options& options);
std::vector<std::size_t> init_sizes(const Options& options);
Pace pace(const Options& options);

extern const char* const usage;

} // namespace mpix::bench
