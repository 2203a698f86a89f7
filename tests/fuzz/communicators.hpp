// SPDX-License-Identifier: BSD-3-Clause
// Random communicators: who is in them, and who is whose neighbour. No MPI here.
#pragma once

#include "program.hpp"

namespace fuzz {

Communicator world(int ranks);
// Has at least one member.
Communicator derive(Random& random, const std::vector<Communicator>& comms, int parent);

} // namespace fuzz
