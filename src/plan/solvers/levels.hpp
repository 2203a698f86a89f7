// SPDX-License-Identifier: BSD-3-Clause
//
// Plans for several nodes are put together: what the ranks of a node do among themselves, in its
// memory, and what one leader of each does with the leaders of the others.
#pragma once

#include "plan/solver.hpp"

#include <vector>

namespace mpix::plan {

struct Levels {
    // The leader of a node is its first rank; of the root's node it is the root, if there is one.
    Levels(const Problem& problem, bool has_root);

    bool is_leader() const { return leaders[static_cast<std::size_t>(node)] == rank; }
    int leader_in_node() const; // its position among the mates

    int rank;
    int node;
    std::vector<int> mates;   // the ranks of this node
    std::vector<int> leaders; // of each node
};

// Whether there are several nodes, some of several ranks, and whether a reduction may combine them
// one after another.
bool has_levels(const Shape& shape);
bool has_levels_to_reduce(const Shape& shape);

// The shapes of the two levels: of the largest node, and of the leaders.
Shape shape_within(const Shape& shape, Kind kind);
Shape shape_between(const Shape& shape, Kind kind);

// What a two-level solver costs that does `first`, then `between`, then `last` (or no such part).
double cost_of_levels(const Shape& shape, const Model& model, const Kind* first, Kind between,
                      const Kind* last);

// Adds the plan of a part: `send` and `recv` as the kind wants them on this rank, `root` a position
// among the ranks.
void solve_part(Kind kind, const Shape& part, const std::vector<int>& ranks, int self, int root,
                const Place& send, const Place& recv, Builder& plan);

} // namespace mpix::plan
