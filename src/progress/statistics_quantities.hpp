// SPDX-License-Identifier: BSD-3-Clause
//
// What the report of MPIX_STATS says of a kind of plans, for people and as JSON: of each quantity
// its least, mean and most over the ranks that have such plans.
#pragma once

#include "progress/counters.hpp"

#include <array>
#include <map>
#include <optional>
#include <vector>

namespace mpix::progress {

// An entry for each rank that has plans of the kind.
using CountersByKind = std::map<PlanKind, std::vector<Counters>>;

// Of one rank; negative where it has none.
struct Quantity {
    enum class Unit : std::uint8_t { count, bytes, nanoseconds };

    const char* name;
    const char* key; // of JSON, with the unit
    Unit unit;
    double (*of)(const Counters&);
};
extern const std::array<Quantity, 5> quantities;

struct Spread {
    double least, mean, most;
};
// Nothing if no rank has any.
std::optional<Spread> spread(const Quantity& quantity, const std::vector<Counters>& of_ranks);

} // namespace mpix::progress
