// SPDX-License-Identifier: BSD-3-Clause
//
// Whether anybody wants to know what operations do: who counts, and who traces. Otherwise a Start
// and a completion cost a branch on that each.
#pragma once

#include <atomic>

namespace mpix::progress {

// How many. Relaxed: a thread that is in MPI meanwhile may see it late.
inline constinit std::atomic<int> watchers{0};
inline bool is_watched() { return watchers.load(std::memory_order_relaxed) != 0; }

} // namespace mpix::progress
