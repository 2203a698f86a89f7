// SPDX-License-Identifier: BSD-3-Clause
//
// The ranks of a node tell each other their edges, and all ranks how much crosses, so that they can
// choose to send it in one message for each pair of nodes.
#pragma once

#include "comm/context.hpp"
#include "plan/problem.hpp"

#include <cstdint>
#include <memory>

namespace mpix::collective {

// Room for what all ranks have to find out together; to be had before they begin.
struct EdgeSums {
    std::int64_t failed = 0; // 1: a rank has no memory for it
    plan::Crossing crossing;
};

// Gives the problem of a neighborhood or an alltoall what crosses, and the edges of the node;
// leaves it alone where nothing does, or where no rank has another one on its node. `most`: edges
// of a rank, one way, on all ranks alike. Collective. Throws on all ranks or on none.
void share_edges(comm::Context& context, std::int64_t most, EdgeSums& sums, plan::Problem& problem);

} // namespace mpix::collective
