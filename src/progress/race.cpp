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
// their receivers are asked for do not. Where ranks meet twice all have come before a block ends,
// but what a root has sent to everybody slows it down later than that.
RaceRules rules(const plan::Shape& shape, double expected_us, bool may_pile_up, int wanted) {
    using plan::Kind;
    const Kind kind = shape.kind;
    if (plan::is_mutual(kind)) return {.rounds = wanted};
    const Meets meets = meetings(kind, shape.locality == plan::Locality::network);
    const bool is_counted_whole = meets == Meets::twice;
    constexpr double long_us = 400; // what takes as long needs no more than others
    const double most_times = is_counted_whole ? 16 : 8;
    const double times = std::clamp(long_us / expected_us, 1.0, most_times);
    // But that a chain is quicker than a scan whose ranks wait for each other shows at once.
    const bool is_scan = kind == Kind::scan || kind == Kind::exscan;
    const bool is_plain = !may_pile_up || is_scan;
    const bool is_nearly_plain = is_counted_whole && kind != Kind::scatter;
    return {.rounds = static_cast<int>(std::min<double>(wanted * times, INT_MAX / 2)),
            .margin = is_plain          ? RaceTimes::clearly
                      : is_nearly_plain ? 0.1
                                        : 0.2,
            .meets = meets};
}

Meets meetings(plan::Kind kind, bool are_apart) {
    if (plan::is_mutual(kind)) return Meets::never;
    return are_apart ? Meets::twice : Meets::once;
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
