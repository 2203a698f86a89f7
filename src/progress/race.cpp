// SPDX-License-Identifier: BSD-3-Clause
//
// What a race is told as.
#include "progress/race.hpp"

#include "plan/plan.hpp"

#include <algorithm>
#include <climits>
#include <cstdio>

namespace mpix::progress {

// Where messages go one way ranks run ahead, and the first rounds do not tell what many will take:
// messages come in before they are waited for, pile up, and are in no cache any more. Those that
// their receivers are asked for do not.
RaceRules rules(const plan::Shape& shape, double expected_us, bool may_pile_up, int wanted) {
    using plan::Kind;
    const Kind kind = shape.kind;
    if (plan::is_mutual(kind)) return {.rounds = wanted};
    constexpr double most_times = 8, long_us = 400; // what takes as long needs no more than others
    // But that a chain is quicker than a scan whose ranks wait for each other shows at once.
    const bool is_scan = kind == Kind::scan || kind == Kind::exscan;
    const double margin = is_scan || !may_pile_up ? RaceTimes::clearly : 0.2;
    const double times = std::clamp(long_us / expected_us, 1.0, most_times);
    return {.rounds = static_cast<int>(std::min<double>(wanted * times, INT_MAX / 2)),
            .margin = margin,
            .meets = meetings(shape)};
}

Meets meetings(const plan::Shape& shape) {
    if (plan::is_mutual(shape.kind)) return Meets::never;
    const bool have_mates = shape.locality == plan::Locality::network && shape.nodes.count() > 1 &&
                            shape.nodes.largest() > 1;
    return plan::converges(shape.kind) && have_mates ? Meets::twice : Meets::once;
}

std::string to_text(const RaceTimes& times, std::span<const std::string_view> ways,
                    std::size_t taken) {
    std::string text = "a round";
    for (std::size_t way = 0; way < ways.size(); ++way) {
        char figure[48];
        std::snprintf(figure, sizeof figure, "%s %.2f us,", way == 0 ? " takes" : "",
                      times.periods[way]);
        text += " by " + std::string(plan::told(ways[way])) + figure;
    }
    text.back() = ';';
    return text + " taken: " + std::string(plan::told(ways[taken]));
}

} // namespace mpix::progress
