// SPDX-License-Identifier: BSD-3-Clause
// Random arguments of every rank for one operation: sizes that match, datatypes that need not be
// the same, buffers laid out without overlap where they are written. No MPI here.
#pragma once

#include "program.hpp"

namespace fuzz {

// Fills in all that depends on kind, communicator and root.
void give_arguments(Random& random, Types& types, const Communicator& comm, Operation& operation);

} // namespace fuzz
