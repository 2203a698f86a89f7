// SPDX-License-Identifier: BSD-3-Clause
//
// What the races of this process have shown, as rules of a tuning table for runs to come.
#pragma once

#include "plan/tuning.hpp"

namespace mpix::comm {

// Under the engine's guard. Throws bad_alloc.
void learn(const plan::Rule& rule);

// On the first rank of the world, if MPIX_TUNING_WRITE names a file: the table that was read, and
// what has been learnt. At the end of MPI.
void write_wisdom() noexcept;

} // namespace mpix::comm
