// SPDX-License-Identifier: BSD-3-Clause
#include "bench/collectives/summary.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace mpix::bench {

namespace {

std::string text_of(const std::vector<double>& ratios) {
    double logarithms = 0;
    for (const double ratio : ratios) logarithms += std::log(ratio);
    char text[128];
    std::snprintf(text, sizeof text,
                  "ratio of medians over %zu cells: geometric mean %.2f, least %.2f", ratios.size(),
                  std::exp(logarithms / static_cast<double>(ratios.size())),
                  *std::ranges::min_element(ratios));
    return text;
}

} // namespace

void Summary::add(const Cell& cell) {
    for (const Times& times : cell.times)
        if (const auto found = ratio(cell, times, &Spread::median);
            found && times.contender->has_ratio())
            ratios_[times.contender].push_back(*found);
}

std::vector<Summary::Line> Summary::lines(const Kinds& kinds) const {
    std::vector<Line> lines;
    for (const ContenderKind* kind : kinds)
        if (const auto found = ratios_.find(kind); found != ratios_.end())
            lines.push_back({kind, text_of(found->second)});
    return lines;
}

} // namespace mpix::bench
