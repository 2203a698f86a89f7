// SPDX-License-Identifier: BSD-3-Clause
#include "bench/common/race.hpp"

#include <algorithm>

namespace mpix::bench {

void race(Racers& racers, const Pace& pace, const Ranks& ranks) {
    std::vector<Runner*> running;
    for (Racer& racer : racers)
        if (racer.verdict == Verdict::right) running.push_back(&racer.runner);
    interleave(running, pace, ranks);
    for (Racer& racer : racers) {
        if (racer.verdict != Verdict::right) continue;
        if (!racer.runner.right) racer.verdict = Verdict::wrong;
        racer.whole = spread(racer.runner.whole, ranks);
        racer.after = spread(racer.runner.after, ranks);
    }
}

void Row::add_time(const Racer& racer, const char* what, Spread Racer::*value, Unit unit) {
    figures.push_back({racer.name, what, unit, racer.verdict, racer.*value});
}

void Row::add_ratio(const Racer& first, const Racer& second, const char* what,
                    Spread Racer::*value) {
    add(second, what, Unit::ratio, first.verdict == Verdict::right, [&](double Spread::*statistic) {
        return first.*value.*statistic / (second.*value.*statistic);
    });
}

bool Row::right() const {
    return std::ranges::none_of(figures, [](const Figure& figure) {
        return figure.verdict == Verdict::wrong && figure.of.starts_with("mpix");
    });
}

bool Scene::wants(std::string_view name) const {
    return contenders.empty() || std::ranges::any_of(contenders, [&](const std::string& wanted) {
               return name.find(wanted) != name.npos;
           });
}

} // namespace mpix::bench
