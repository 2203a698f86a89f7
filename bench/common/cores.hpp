// SPDX-License-Identifier: BSD-3-Clause
//
// Where the ranks run. Two ranks that the scheduler leaves on one core wait a time slice for each
// other at every operation of a host that spins: a ratio of a hundred that says nothing of mpix.
#pragma once

namespace mpix::bench {

struct Placement {
    int cores;      // that this node's ranks may use between them
    bool core_each; // every rank of the run was bound to a core of its own
};

// Collective over all ranks. Binds each to a core of its own where its node has enough of them.
Placement place_ranks();

} // namespace mpix::bench
