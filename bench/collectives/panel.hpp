// SPDX-License-Identifier: BSD-3-Clause
//
// What was measured of one operation, as charts: the time over size, and the ratio. Medians.
#pragma once

#include "bench/collectives/measure.hpp"
#include "bench/common/chart.hpp"

#include <set>
#include <vector>

namespace mpix::bench {

using Panel = std::vector<Cell>; // the sizes of one operation

// The panels of a run, as their cells come, and the sizes of all of them.
class Panels {
  public:
    void add(const Cell& cell);
    const std::vector<Panel>& all() const { return panels_; }
    chart::Chart times(const Panel& panel) const;
    chart::Chart ratios(const Panel& panel) const;

  private:
    chart::Chart empty_chart(const Panel& panel) const;
    std::set<std::size_t> sizes() const;

    std::vector<Panel> panels_;
    std::set<std::size_t> sizes_;
};

// In so many columns.
markup::Element legend(const Kinds& kinds, int columns);

} // namespace mpix::bench
