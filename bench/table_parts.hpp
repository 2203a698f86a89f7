// SPDX-License-Identifier: BSD-3-Clause
//
// The lines of the table that are not the race.
#pragma once

#include "report.hpp"

namespace mpix::bench::table {

void print_setting(const Setting& setting);
void print_floors(const Floors& floors);

} // namespace mpix::bench::table
