// SPDX-License-Identifier: BSD-3-Clause
//
// The counters of all ranks as a table for people.
#pragma once

#include "run/statistics.hpp"

#include <array>
#include <map>
#include <string>
#include <vector>

namespace mpix::run {

using PlanKind = std::array<std::string, 3>; // operation, solver, transport

// An entry for each rank that has plans of the kind.
using CountersByKind = std::map<PlanKind, std::vector<Counters>>;

std::string statistics_table(const CountersByKind& all, int ranks);

} // namespace mpix::run
