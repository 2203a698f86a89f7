// SPDX-License-Identifier: BSD-3-Clause
//
// A chart: lines over sizes, both axes logarithmic. Knows nothing of what was measured, and no MPI.
#pragma once

#include "bench/common/markup.hpp"

#include <string>
#include <utility>
#include <vector>

namespace mpix::chart {

struct Point {
    double x, y;
    std::string text; // what it says when it is pointed at
};

// Of the same look everywhere: one of nine colours and shapes, dashed or not.
struct Look {
    int number;
    bool is_dashed;
};

struct Line {
    Look look;
    std::vector<Point> points;
};

struct Chart {
    std::string title, unit;
    std::vector<std::pair<double, std::string>> sizes; // x, in order
    std::vector<Line> lines;
    std::vector<std::string> remarks; // what is not there
    double level = 0;                 // of a line across, if it is not 0
};

inline constexpr double width = 400, height = 270;

// At 0, 0.
markup::Element draw(const Chart& chart);
// A short piece of such a line, and a name.
markup::Element draw(const Look& look, const std::string& name, double x, double y);

// The element, elsewhere.
markup::Element moved(const markup::Element& element, double x, double y);

extern const char* const style; // besides that of markup

} // namespace mpix::chart
