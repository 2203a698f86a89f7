// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "plan/nodes.hpp"

namespace mpix::plan::test {

// The node of each rank, as a function tells it.
template<class NodeOf>
Nodes nodes_of(int ranks, NodeOf node_of) {
    std::vector<int> all;
    for (int rank = 0; rank < ranks; ++rank) all.push_back(node_of(rank));
    return Nodes(all);
}

} // namespace mpix::plan::test
