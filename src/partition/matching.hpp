// SPDX-License-Identifier: BSD-3-Clause
//
// Bringing the two ends of partitioned sends and receives together. Inits are local: each writes at
// most one letter, and the ends meet while the program makes progress. The k-th send of an envelope
// meets the k-th receive, where an envelope is a communicator, a pair of processes and a tag; one
// that was freed before has had its turn.
#pragma once

#include "partition/end.hpp"

namespace mpix::partition {

// Gives the end its turn, and tells the other or answers it. Under the engine's guard.
void match(const std::shared_ptr<End>& end);

} // namespace mpix::partition
