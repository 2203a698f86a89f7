// SPDX-License-Identifier: BSD-3-Clause
//
// What a race is told as.
#include "progress/race.hpp"

#include "plan/plan.hpp"

#include <algorithm>
#include <climits>
#include <cstdio>

namespace mpix::progress {

namespace {

// By how much another way has to be quicker. Where messages go one way ranks run ahead, and the
// first rounds do not tell what many will take: messages come in before they are waited for, pile
// up, and are in no cache any more. Those that their receivers are asked for do not. Where ranks
// meet twice all have come before a block ends, but a scatter's root is slowed down later than that
// by all it has sent.
double margin_of(plan::Kind kind, bool may_pile_up, Meets meets) {
    using plan::Kind;
    // That a chain is quicker than a scan whose ranks wait for each other shows at once.
    if (!may_pile_up || kind == Kind::scan || kind == Kind::exscan) return RaceTimes::clearly;
    return meets == Meets::twice && kind != Kind::scatter ? 0.1 : 0.2;
}

} // namespace

RaceRules rules(const plan::Shape& shape, double expected_us, bool may_pile_up, int wanted) {
    if (plan::is_mutual(shape.kind)) return {.rounds = wanted};
    const Meets meets = meetings(shape.kind, !shape.one_node);
    constexpr double long_us = 400; // what takes as long needs no more than others
    const double times = std::clamp(long_us / expected_us, 1.0, meets == Meets::twice ? 16.0 : 8.0);
    return {.rounds = static_cast<int>(std::min<double>(wanted * times, INT_MAX / 2)),
            .margin = margin_of(shape.kind, may_pile_up, meets),
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
