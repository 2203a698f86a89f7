// SPDX-License-Identifier: BSD-3-Clause
//
// The parts of `mpix-bench partitioned`, a file each. Collective.
#pragma once

#include "bench/common/race.hpp"

namespace mpix::bench {

void race_sends(const Scene& scene);
void race_early_birds(const Scene& scene);
void race_marks(const Scene& scene);
void race_allreduces(const Scene& scene);
void race_halos(const Scene& scene);
void race_lives(const Scene& scene);

} // namespace mpix::bench
