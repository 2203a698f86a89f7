// SPDX-License-Identifier: BSD-3-Clause
//
// Combining what every rank sends to this one, in the order of ranks and always in the same way:
// all who fold the same vectors get the same bits, and the operation need not commute.
#pragma once

#include "plan/builder.hpp"

namespace mpix::plan {

// sum = the combination of the vectors of all ranks, of which `own` is this one's. The others are
// sent by their ranks, the next message from each. The two places must not overlap.
void fold_ranks(Builder& plan, int rank, int ranks, const Place& own, const Place& sum);

} // namespace mpix::plan
