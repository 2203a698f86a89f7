// SPDX-License-Identifier: BSD-3-Clause
//
// The lines of the table that are not the race.
#pragma once

#include "bench/collectives/report.hpp"

namespace mpix::bench::table {

void print_setting(const Setting& setting);
void print_floors(const Floors& floors);
void head_inits();
void print(const InitCost& cost);
void head_foreign();
void print(const Foreign& foreign);

} // namespace mpix::bench::table
