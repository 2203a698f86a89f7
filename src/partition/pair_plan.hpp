// SPDX-License-Identifier: BSD-3-Clause
//
// Plans of partitioned sends and receives. Programs make the same pair again and again, and pairs
// that differ in their peer alone: the last short plan of each side is kept, and copied.
#pragma once

#include "plan/partitioned.hpp"

namespace mpix::partition {

// Of a problem with one segment, which goes to a rank 0, comes from it, or travels not at all: then
// to or from that peer. Under the engine's guard.
plan::Plan plan_of_pair(const plan::Partitioned& problem, int peer);

} // namespace mpix::partition
