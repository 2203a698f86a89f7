// SPDX-License-Identifier: BSD-3-Clause
//
// The quantities, as they are reported.
#include "progress/statistics_quantities.hpp"

#include <algorithm>

namespace mpix::progress {

const std::array<Quantity, 5> quantities{{
    {"inits", "inits", Quantity::Unit::count,
     [](const Counters& c) { return static_cast<double>(c.inits); }},
    {"starts", "starts", Quantity::Unit::count,
     [](const Counters& c) { return static_cast<double>(c.starts); }},
    {"sent", "sent_bytes", Quantity::Unit::bytes,
     [](const Counters& c) { return static_cast<double>(c.bytes); }},
    {"time", "time_ns", Quantity::Unit::nanoseconds,
     [](const Counters& c) { return static_cast<double>(c.nanoseconds); }},
    {"time a start", "time_a_start_ns", Quantity::Unit::nanoseconds,
     [](const Counters& c) {
         if (c.completions == 0) return -1.0;
         return static_cast<double>(c.nanoseconds) / static_cast<double>(c.completions);
     }},
}};

std::optional<Spread> spread(const Quantity& quantity, const std::vector<Counters>& of_ranks) {
    std::vector<double> values;
    double sum = 0;
    for (const Counters& counters : of_ranks) {
        const double value = quantity.of(counters);
        if (value < 0) continue;
        values.push_back(value);
        sum += value;
    }
    if (values.empty()) return std::nullopt;
    const auto [least, most] = std::minmax_element(values.begin(), values.end());
    return Spread{*least, sum / static_cast<double>(values.size()), *most};
}

} // namespace mpix::progress
