// SPDX-License-Identifier: BSD-3-Clause
//
// The parts of `mpix-bench channel`, a file each. Collective.
#pragma once

#include "bench/common/race.hpp"

namespace mpix::bench {

void race_pingpong(const Scene& scene);
void race_rates(const Scene& scene);
void race_starts(const Scene& scene);
void race_halo_of_neighbours(const Scene& scene);

} // namespace mpix::bench
