// SPDX-License-Identifier: BSD-3-Clause
//
// What all cells of a race come to, for each contender that has a ratio.
#pragma once

#include "bench/collectives/measure.hpp"

#include <map>
#include <string>
#include <vector>

namespace mpix::bench {

class Summary {
  public:
    struct Line {
        const ContenderKind* contender;
        std::string text; // "ratio of medians over 7 cells: geometric mean 2.13, least 0.95"
    };

    void add(const Cell& cell);
    std::vector<Line> lines(const Kinds& kinds) const; // of those that have ratios

  private:
    std::map<const ContenderKind*, std::vector<double>> ratios_;
};

} // namespace mpix::bench
