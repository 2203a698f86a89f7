// SPDX-License-Identifier: BSD-3-Clause
// What one rank does, in its own order: starts, marks and completions drift as far as MPI lets
// them. No MPI here.
#pragma once

#include "program.hpp"

namespace fuzz {

struct Event {
    double position; // the number of the item, and more where the rank is late
    int item;
    // The number of a call that marks partitions of an operation, in the round that the item
    // starts.
    int mark = -1, operation = -1;
};

std::vector<Event> schedule(const Program& program, const std::set<int>& skipped, int world_rank);

} // namespace fuzz
