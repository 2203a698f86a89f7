// SPDX-License-Identifier: BSD-3-Clause
//
// An object for each kind of plans. A quantity that no rank has is null.
#include "progress/statistics_json.hpp"

#include "base/json.hpp"

#include <cstdio>

namespace mpix::progress {
namespace {

using Text = std::string;

// Numbers of JSON have no locale.
Text number(double value) {
    char text[64];
    std::snprintf(text, sizeof text, "%lld", static_cast<long long>(value));
    const auto thousandths =
        static_cast<int>((value - static_cast<double>(static_cast<long long>(value))) * 1000);
    Text all = text;
    if (thousandths == 0) return all;
    std::snprintf(text, sizeof text, ".%03d", thousandths);
    return all + text;
}

Text object_of(const PlanKind& kind, const std::vector<Counters>& of_ranks) {
    Text all = "{\"operation\":" + base::json_text(kind[0]) +
               ",\"solver\":" + base::json_text(kind[1]) +
               ",\"transport\":" + base::json_text(kind[2]) +
               ",\"ranks\":" + std::to_string(of_ranks.size());
    for (const Quantity& quantity : quantities) {
        all += Text(",\n  \"") + quantity.key + "\":";
        if (const std::optional<Spread> found = spread(quantity, of_ranks))
            all += "{\"least\":" + number(found->least) + ",\"mean\":" + number(found->mean) +
                   ",\"most\":" + number(found->most) + "}";
        else
            all += "null";
    }
    return all + "}";
}

} // namespace

Text statistics_json(const CountersByKind& all, int ranks) {
    Text text = "{\"ranks\":" + std::to_string(ranks) + ",\"plans\":[";
    const char* between = "\n ";
    for (const auto& [kind, of_ranks] : all) {
        text += between + object_of(kind, of_ranks);
        between = ",\n ";
    }
    return text + "]}\n";
}

} // namespace mpix::progress
