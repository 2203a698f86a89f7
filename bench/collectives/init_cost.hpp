// SPDX-License-Identifier: BSD-3-Clause
//
// What it costs to plan, and after how many starts that has paid for itself.
#pragma once

#include "bench/collectives/measure.hpp"

#include <cstddef>
#include <optional>
#include <vector>

namespace mpix::bench {

// One operation of one of ours; nanoseconds, maximum over ranks.
struct InitCost {
    const Operation* operation;
    std::size_t bytes;
    const ContenderKind* contender;
    Spread first; // on a communicator just made; making it is not counted
    Spread later; // on one that has had an init
    Spread free;
    // Of one whole operation, where the answers were right.
    std::optional<Spread> ours, host;
    Verdict verdict;

    // The least n with init + free + n * ours <= n * host, all medians; none if there is no such.
    std::optional<double> starts_to_repay(const Spread& init) const;
};

// Collective. One row for each of ours among the kinds.
std::vector<InitCost> measure_inits(const Operation& operation, std::size_t bytes,
                                    const Kinds& kinds, const Pace& pace, const HostLibrary& host,
                                    const Ranks& ranks);

} // namespace mpix::bench
