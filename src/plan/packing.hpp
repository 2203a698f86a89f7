// SPDX-License-Identifier: BSD-3-Clause
//
// Several blocks in one message: straight from or into the user's buffer where the blocks are
// adjacent there, through scratch and copies where they are not. The other end cannot tell which:
// layouts differ from rank to rank, the bytes of the message do not.
#pragma once

#include "plan/blocks.hpp"
#include "plan/builder.hpp"

#include <vector>

namespace mpix::plan {

// One place for all of them: they themselves if they are a single run, otherwise new scratch.
Place joined(Builder& plan, const Blocks& places);

// Copies between a joined place and the places it stands for; nothing if it is them.
void pack(Builder& plan, const Blocks& places, const Place& whole);
void unpack(Builder& plan, const Place& whole, const Blocks& places);

// From each place to the other of its number.
std::vector<Move> moves(const Blocks& from, const Blocks& to);

} // namespace mpix::plan
