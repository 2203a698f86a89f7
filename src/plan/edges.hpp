// SPDX-License-Identifier: BSD-3-Clause
//
// Who sends to whom, where a problem alone does not tell: the edges of the ranks of a node, as all
// of them know them, and what crosses from there to other nodes.
#pragma once

#include <cstdint>
#include <vector>

namespace mpix::plan {

struct Edge {
    std::int64_t rank = -1;
    std::int64_t bytes = 0;
};

// Of one rank, in an order in which the k-th edge to a rank matches the k-th edge from it.
struct Edges {
    std::vector<Edge> out, in;
    bool is_alike = false; // the same bytes go along all that go out
};

// The most of any rank or node: on all ranks the same. Of values that are the same on all edges of
// each rank a node gets one, however many of its ranks they are for.
struct Crossing {
    std::int64_t messages = 0;      // of a rank to other nodes, one an edge
    std::int64_t bytes = 0;         // in them
    std::int64_t node_messages = 0; // of all ranks of a node
    std::int64_t node_bytes = 0;
    std::int64_t nodes = 0;        // that a node sends to, or receives from
    std::int64_t merged_bytes = 0; // of a node, if one message goes to each of them
    std::int64_t is_different = 0; // 1: some rank has several values for its edges

    bool is_known() const { return nodes > 0; }
    bool is_alike() const { return is_different == 0; }
};

} // namespace mpix::plan
