// SPDX-License-Identifier: BSD-3-Clause
//
// What the run tells: a table for people, one JSON document, a picture, a page. On rank 0 alone.
#pragma once

#include "bench/collectives/foreign.hpp"
#include "bench/collectives/init_cost.hpp"
#include "bench/collectives/measure.hpp"
#include "bench/common/cores.hpp"
#include "bench/common/floors.hpp"
#include "bench/common/markup.hpp"

#include <memory>
#include <string>

namespace mpix::bench {

struct Setting {
    std::string host; // its version
    std::string library;
    int ranks;
    Placement placement;
    Kinds contenders;
    std::string data = {}; // what is sent, where that can be chosen
};

class Report {
  public:
    virtual ~Report() = default;
    virtual void begin(const Setting& setting, const Floors& floors) = 0;
    virtual void add(const Cell& cell) = 0;
    virtual void add(const InitCost& cost) = 0;
    virtual void add(const Foreign& foreign) = 0;
    // False if what was to be told could not be.
    virtual bool end(double seconds) = 0;
};

std::unique_ptr<Report> make_table(bool medians);
std::unique_ptr<Report> make_json();
std::unique_ptr<Report> make_plot(const std::string& file);
std::unique_ptr<Report> make_page(const std::string& file, const std::string& command);

// False if it cannot be written, which it says.
bool save(const std::string& file, const markup::Element& root);
// Why nothing can be written there; nothing if it can.
std::string obstacle_to_write(const std::string& file);

} // namespace mpix::bench
