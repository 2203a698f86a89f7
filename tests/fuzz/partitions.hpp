// SPDX-License-Identifier: BSD-3-Clause
// How the buffers of a partitioned operation are divided, and when a rank marks what. No MPI here.
#pragma once

#include "program.hpp"

namespace fuzz {

struct Partition {
    int segment, index; // its number is its place in the list
    bool in_recv;       // it stands in the receive buffer
    Block block;
};

// Gives every block that is there its partitions.
void divide(Random& random, const Communicator& comm, Operation& operation);

// Those that a member marks, and those that it asks for, in the order of their numbers.
std::vector<Partition> marked_by(const Program& program, const Operation& operation, int member);
std::vector<Partition> asked_by(const Program& program, const Operation& operation, int member);

// The numbers that one call of a member marks, call by call, in the round that an item starts.
std::vector<std::vector<int>> marks_of(const Program& program, int operation, int item, int member);

} // namespace fuzz
