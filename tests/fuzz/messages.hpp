// SPDX-License-Identifier: BSD-3-Clause
// Random point-to-point messages. No MPI here.
#pragma once

#include "program.hpp"

namespace fuzz {

// Who sends to whom and how. Each message has a tag of its own; only where it is alone on its
// communicator may the receiver take any tag.
Message pick_message(Random& random, const Communicator& comm, int tag, bool alone);
void give_message(Random& random, Types& types, Operation& operation);

} // namespace fuzz
