// SPDX-License-Identifier: BSD-3-Clause
//
// The lines of the table that are not the race, and what stands in its cells.
#pragma once

#include "bench/collectives/report.hpp"

namespace mpix::bench::table {

// What stands for one contender's time, and for the starts that repay an init.
std::string time_text(const Times& times, double Spread::*statistic);
std::string starts_text(const InitCost& cost, const Spread& init);
std::string time_text(std::optional<double> nanoseconds);
std::string ranks_text(const Setting& setting); // "2 on 2 cores, a core each"
// Of bytes in so long a time, if they are many.
std::string rate_text(std::size_t bytes, std::optional<double> nanoseconds);

void print_setting(const Setting& setting);
void print_floors(const Floors& floors);
void head_inits();
void print(const InitCost& cost);
void head_foreign();
void print(const Foreign& foreign);

} // namespace mpix::bench::table
