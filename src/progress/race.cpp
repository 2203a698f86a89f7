// SPDX-License-Identifier: BSD-3-Clause
//
// What a race is told as.
#include "progress/race.hpp"

#include "plan/plan.hpp"

#include <cstdio>

namespace mpix::progress {

std::string to_text(const RaceTimes& times, std::span<const std::string_view> ways) {
    std::string text = "a round";
    for (std::size_t way = 0; way < ways.size(); ++way) {
        char figure[48];
        std::snprintf(figure, sizeof figure, "%s %.2f us,", way == 0 ? " takes" : "",
                      times.periods[way]);
        text += " by " + std::string(plan::told(ways[way])) + figure;
    }
    text.back() = ';';
    return text + " taken: " + std::string(plan::told(ways[times.quickest(ways.size())]));
}

} // namespace mpix::progress
