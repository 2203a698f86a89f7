// SPDX-License-Identifier: BSD-3-Clause
//
// What mpix adds to messages that are the host's: nonblocking and persistent ones through the
// linked names, which pass by its tables of requests, against the host's own functions. Each rank
// sends to itself, so that no other rank's timing is in the difference.
#pragma once

#include "bench/common/timing.hpp"

#include <functional>
#include <vector>

namespace mpix::bench {

struct Foreign {
    const char* calls; // by which a round goes
    int messages;      // in a round: so many are received, and so many sent
    int plans;         // alive and inactive meanwhile
    bool right;
    // Nanoseconds a round, maximum over ranks.
    Spread host;
    Spread linked;
};

// Collective; gives each row away as soon as it is known.
void measure_foreign(int rounds, const HostLibrary& host, const Ranks& ranks,
                     const std::function<void(const Foreign&)>& report);

} // namespace mpix::bench
