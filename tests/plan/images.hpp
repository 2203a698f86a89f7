// SPDX-License-Identifier: BSD-3-Clause
//
// The user's buffers as the simulator has them.
#pragma once

#include "plan/simulator.hpp"

namespace mpix::plan::test {

std::byte* at(Memory& memory, const Place& place);

// Makes room for the places, and a few bytes behind them that nobody may touch.
void size_rooms(Memory& memory, const Blocks& places);

void scramble(std::vector<std::byte>& bytes, unsigned seed);

} // namespace mpix::plan::test
