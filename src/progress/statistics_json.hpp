// SPDX-License-Identifier: BSD-3-Clause
//
// The counters of all ranks as JSON.
#pragma once

#include "progress/statistics_quantities.hpp"

#include <string>

namespace mpix::progress {

std::string statistics_json(const CountersByKind& all, int ranks);

} // namespace mpix::progress
