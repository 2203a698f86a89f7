// SPDX-License-Identifier: BSD-3-Clause
//
// What mpix adds to calls that are not its own: Isend, Irecv and Waitall through the linked names,
// which pass by its table of plans, against the host's own functions. Each rank sends to itself, so
// that no other rank's timing is in the difference.
#pragma once

#include "bench/common/timing.hpp"

#include <functional>
#include <vector>

namespace mpix::bench {

struct Foreign {
    int messages; // in a round: so many Irecvs and Isends, and one Waitall of them all
    int plans;    // alive and inactive meanwhile
    bool right;
    // Nanoseconds a round, maximum over ranks.
    Spread host;
    Spread linked;
};

// Collective; gives each row away as soon as it is known.
void measure_foreign(int rounds, const HostLibrary& host, const Ranks& ranks,
                     const std::function<void(const Foreign&)>& report);

} // namespace mpix::bench
