// SPDX-License-Identifier: BSD-3-Clause
// Random point-to-point messages. No MPI here.
#pragma once

#include "program.hpp"

namespace fuzz {

// Who sends to whom and how. Each message has a tag of its own; only where it is alone on its
// communicator may the receiver take any tag.
Message pick_message(Random& random, const Communicator& comm, int tag, bool alone);
// Its ends divide it as they like.
Message pick_partitioned(Random& random, const Communicator& comm, int tag);
// Both ends are persistent, and bound. `ordered`: no sender starts before its receiver unless it
// may.
Message pick_channel(Random& random, const Communicator& comm, int tag, bool alone, bool ordered);
void give_message(Random& random, Types& types, Operation& operation);

} // namespace fuzz
