// SPDX-License-Identifier: BSD-3-Clause
//
// The counters of all ranks as a table for people.
#pragma once

#include "progress/counters.hpp"

#include <map>
#include <string>
#include <vector>

namespace mpix::progress {

// An entry for each rank that has plans of the kind.
using CountersByKind = std::map<PlanKind, std::vector<Counters>>;

std::string statistics_table(const CountersByKind& all, int ranks);

} // namespace mpix::progress
