// SPDX-License-Identifier: BSD-3-Clause
//
// One operation's part of the picture, in the language of gnuplot: lines, scale and what is absent.
// Where it lies and what stands around it is not known here.
#pragma once

#include "bench/collectives/measure.hpp"

#include <cstddef>
#include <ostream>
#include <set>
#include <vector>

namespace mpix::bench {

using Panel = std::vector<Cell>; // the sizes of one operation

// The contender's line and points.
const char* style_of(const ContenderKind& kind);

// In quotes, for gnuplot.
std::string quoted_for_plot(std::string_view text);

// `sizes` are those of all panels.
void draw_contents(std::ostream& out, const Panel& panel, const std::set<std::size_t>& sizes);

} // namespace mpix::bench
