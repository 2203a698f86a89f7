// SPDX-License-Identifier: BSD-3-Clause
// Random reductions: function, datatype, counts. No MPI here.
#pragma once

#include "program.hpp"

namespace fuzz {

void give_reduction(Random& random, Types& types, const Communicator& comm, Operation& operation);

} // namespace fuzz
