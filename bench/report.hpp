// SPDX-License-Identifier: BSD-3-Clause
//
// What the run tells: a table for people, or one JSON document. On rank 0 alone.
#pragma once

#include "cores.hpp"
#include "floors.hpp"
#include "measure.hpp"

#include <memory>
#include <string>

namespace mpix::bench {

struct Setting {
    std::string host; // its version
    std::string library;
    int ranks;
    Placement placement;
    Kinds contenders;
};

class Report {
  public:
    virtual ~Report() = default;
    virtual void begin(const Setting& setting, const Floors& floors) = 0;
    virtual void add(const Cell& cell) = 0;
    virtual void end(double seconds) = 0;
};

std::unique_ptr<Report> make_table(bool medians);
std::unique_ptr<Report> make_json();

} // namespace mpix::bench
