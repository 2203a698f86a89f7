// SPDX-License-Identifier: BSD-3-Clause
// Blocking calls of the program while its plans are active, each with its answer checked.
#pragma once

#include "handles.hpp"

namespace fuzz {

// `number` is that of the item: data and variants follow from it.
void block(const Program& program, int number, MPI_Comm comm, int world_rank);

// Tags of messages that belong to no operation.
constexpr int ready_tag = 20'000, token_tag = 10'000, ring_tag = 9'000;

} // namespace fuzz
