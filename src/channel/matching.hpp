// SPDX-License-Identifier: BSD-3-Clause
//
// Bringing the two ends of channels together, as MPI matches messages: a request meets the first
// end that it matches, in the order in which those were bound, and an end the first request that
// came. Neither waits for another pair.
#pragma once

#include "channel/end.hpp"

#include <memory>

namespace mpix::channel {

// The end becomes bound, or fails, at once or while the program makes progress. Under the engine's
// guard.
void match(const std::shared_ptr<End>& end);

} // namespace mpix::channel
