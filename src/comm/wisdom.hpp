// SPDX-License-Identifier: BSD-3-Clause
//
// What the races of this process have shown, as rules of a tuning table for runs to come.
#pragma once

#include "comm/race_results.hpp"
#include "plan/solver.hpp"

namespace mpix::comm {

// That this solver is the quickest there; null: the host. Under the engine's guard. Throws
// bad_alloc.
void learn(const RaceResults::About& about, int ranks, bool one_node, const plan::Solver* solver);

// On the first rank of the world, if MPIX_TUNING_WRITE names a file: the table that was read, and
// what has been learnt. At the end of MPI.
void write_wisdom() noexcept;

} // namespace mpix::comm
