// SPDX-License-Identifier: BSD-3-Clause
//
// Where in its node a process is: what it is bound to, as hwloc finds it, or where MPIX_TOPOLOGY
// puts it.
#pragma once

#include <cstdint>

namespace mpix::comm {

// Numbers of this machine; 0: it is not known, or is no smaller than what is around.
struct Spot {
    std::uint32_t socket = 0; // or what has memory of its own in it
    std::uint32_t cache = 0;  // the last one that it shares with others

    friend bool operator==(const Spot&, const Spot&) = default;
};

Spot own_spot();

// Which of its node's parts this process is in, as MPIX_TOPOLOGY or MPIX_NODE_SIZE divides it; -1:
// it is alone.
std::int64_t part_of_node();

} // namespace mpix::comm
