// SPDX-License-Identifier: BSD-3-Clause
//
// The command line of `mpix-bench partitioned` and `mpix-bench channel`.
#pragma once

#include "bench/common/interleave.hpp"
#include "bench/common/race_report.hpp"

#include <optional>
#include <string>
#include <vector>

namespace mpix::bench {

struct PartOptions {
    std::vector<std::string> parts;      // none means all
    std::vector<std::string> contenders; // the same
    std::vector<std::size_t> sizes;      // none means the usual ones
    std::vector<int> partitions;         // the same
    std::optional<int> rounds;
    std::string transport;
    bool multiple = false;
    bool quick = false;
    bool medians = false;
    bool json = false;
    bool help = false;

    Pace pace() const;
};

// Nothing if the line is not understood; `complaint` then says what is wrong with it.
std::optional<PartOptions> read_part_options(int argc, char** argv, const Suite& suite,
                                             std::string& complaint);

} // namespace mpix::bench
