// SPDX-License-Identifier: BSD-3-Clause
//
// What the run prints: a table for people, or one JSON document. On rank 0 alone.
#pragma once

#include "cores.hpp"
#include "measure.hpp"

#include <memory>
#include <string>
#include <vector>

namespace mpix::bench {

struct Setting {
    std::string host; // its version
    std::string library;
    int ranks;
    Placement placement;
};

class Report {
  public:
    virtual ~Report() = default;
    virtual void begin(const Setting& setting) = 0;
    virtual void add(const Cell& cell) = 0;
    virtual void end() = 0;
};

std::unique_ptr<Report> make_table();
std::unique_ptr<Report> make_json();

} // namespace mpix::bench
