// SPDX-License-Identifier: BSD-3-Clause
//
// What the parts of `mpix-bench partitioned` have in common: contenders with names, and rows of
// figures about them.
#pragma once

#include "bench/collectives/contenders.hpp"
#include "bench/common/interleave.hpp"

#include <cstdint>
#include <deque>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace mpix::bench {

struct Racer {
    std::string name; // "host persistent"
    Verdict verdict = Verdict::missing;
    Runner runner{};
    Spread whole{}, after{}; // once it has raced

    bool ours() const { return name.starts_with("mpix"); }
};

// They stay where they are.
using Racers = std::deque<Racer>;

// Collective: runs those that are right.
void race(Racers& racers, const Pace& pace, const Ranks& ranks);

enum class Unit { microseconds, nanoseconds, ratio, percent, gigabytes };

// Missing, if it does not follow from right answers.
struct Figure {
    std::string of;   // a racer's name
    std::string what; // "time"
    Unit unit;
    Verdict verdict;
    Spread value; // times are nanoseconds
};

struct Row {
    std::string_view part;
    std::vector<std::pair<std::string, std::int64_t>> keys; // "bytes", 4096
    std::string of{};                                       // whom the row is about, if one
    std::vector<Figure> figures{};

    void add_time(const Racer& racer, const char* what = "time",
                  Spread Racer::*value = &Racer::whole, Unit unit = Unit::microseconds);
    // How many times as long as the second the first takes.
    void add_ratio(const Racer& first, const Racer& second, const char* what,
                   Spread Racer::*value = &Racer::whole);
    // What a function makes of the minima and of the medians.
    template<class Make>
    void add(const Racer& racer, const char* what, Unit unit, bool exists, Make make) {
        figures.push_back({racer.name, what, unit, exists ? racer.verdict : Verdict::missing,
                           exists && racer.verdict == Verdict::right
                               ? Spread{make(&Spread::minimum), make(&Spread::median)}
                               : Spread{}});
    }
    bool right() const; // mpix gave no wrong answer
};

// What a part is given.
struct Scene {
    const HostLibrary& host;
    const Ranks& ranks;
    Pace pace;
    bool quick;
    bool multiple;                       // threads may call MPI
    MPI_Info info;                       // for inits of mpix
    std::vector<int> partitions;         // of sends, in place of the usual ones
    std::vector<std::size_t> sizes;      // the same
    std::vector<std::string> contenders; // what their names contain; none means all
    std::function<void(const Row&)> tell;

    bool wants(std::string_view name) const;
};

// Collective: lets one contender of each kind race. `make(kind, number)` makes it, with its
// verdict() and batch(iterations), or null if there is none here; the first has number 1.
template<class Kinds, class Make>
Racers race_kinds(const Kinds& kinds, const Scene& scene, Make make) {
    Racers racers;
    std::vector<decltype(make(*std::begin(kinds), 1))> contenders;
    for (const auto& kind : kinds) {
        Racer& racer = racers.emplace_back(Racer{.name = kind.name});
        if (!scene.wants(kind.name)) continue;
        auto& contender = contenders.emplace_back(make(kind, static_cast<int>(racers.size())));
        if (!contender) continue;
        racer.verdict = contender->verdict();
        racer.runner.run = [&one = *contender](int iterations) { return one.batch(iterations); };
    }
    race(racers, scene.pace, scene.ranks);
    for (Racer& racer : racers) racer.runner = {};
    return racers;
}

} // namespace mpix::bench
