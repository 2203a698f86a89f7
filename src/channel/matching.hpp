// SPDX-License-Identifier: BSD-3-Clause
//
// Bringing the two ends of channels together, as MPI matches messages: a request meets the first
// end that it matches, in the order in which those were bound, and an end the first request that
// came. Neither waits for another pair.
#pragma once

#include "channel/end.hpp"

#include <memory>
#include <span>

namespace mpix::channel {

// The ends become bound, or fail, at once or while the program makes progress. Under the engine's
// guard. Throws Failure, bad_alloc: then no other process knows of any of them.
void match(std::span<const std::shared_ptr<ChannelEnd>> ends);

} // namespace mpix::channel
