// SPDX-License-Identifier: BSD-3-Clause
//
// Plans for several nodes are put together: what the ranks of a node do among themselves, in its
// memory, and what one leader of each, or several lanes, do with those of the others. The parts are
// chosen like any plan.
#pragma once

#include "plan/nodes.hpp"
#include "plan/solver.hpp"

#include <vector>

namespace mpix::plan {

struct Levels {
    // The leader of a node is its first rank; of the root's node it is the root, if there is one.
    Levels(const Problem& problem, bool has_root);

    const RankList& mates() const { return mates_; }
    int leader() const { return leaders[static_cast<std::size_t>(node)]; }
    bool is_leader() const { return leader() == rank; }
    int leader_in_node() const { return nodes_.position(leader()); } // its position among the mates
    int nodes() const { return nodes_.count(); }
    int size(int of_node) const { return nodes_.size(of_node); }
    int rank_at(int of_node, int position) const { return nodes_.rank(of_node, position); }
    RankList ranks(int of_node) const { return nodes_.ranks(of_node); }
    // The blocks of that node, of those of all ranks.
    template<class Values>
    Values blocks_of(int of_node, const Values& of_ranks) const;
    // As many ranks follow each other on every node.
    bool are_alike() const {
        return nodes_.are_in_order() && nodes_.smallest() == nodes_.largest();
    }
    // One of each node: the rank at that position.
    RankList lane(int position) const { return nodes_.lane(position); }
    // The ranks of a node that the lane at that position deals with, of so many lanes.
    RankList served(int of_node, int position, int lanes) const;

    int rank;
    int node;
    int self;         // the position of this rank among its mates
    RankList leaders; // of each node

  private:
    Nodes nodes_;
    RankList mates_;
};

template<class Values>
Values Levels::blocks_of(int of_node, const Values& of_ranks) const {
    const auto n = static_cast<std::size_t>(size(of_node));
    if (nodes_.are_in_order())
        return of_ranks.part(static_cast<std::size_t>(rank_at(of_node, 0)), n);
    Values found;
    for (std::size_t i = 0; i < n; ++i)
        found.push_back(of_ranks[static_cast<std::size_t>(rank_at(of_node, static_cast<int>(i)))]);
    return found;
}

// Whether there are several nodes, some of several ranks, and whether a reduction may combine them
// one after another.
bool has_levels(const Shape& shape);
bool has_levels_to_reduce(const Shape& shape);

// The blocks of those ranks, or their sizes.
Blocks places_of(const RankList& ranks, const Blocks& blocks);
Sizes sizes_of(const RankList& ranks, const Sizes& sizes);
// By node: all its blocks, joined if they do not follow each other, and their sizes.
Sizes sizes_of_nodes(const Levels& levels, const Sizes& sizes);
class NodeBlocks {
  public:
    // Those of node `except` stay where they are.
    NodeBlocks(Builder& plan, const Levels& levels, const Blocks& blocks, int except = -1);

    const Blocks& joined() const { return joined_; }
    Place of(int node) const { return joined_[static_cast<std::size_t>(node)]; }
    void pack() const;
    void unpack() const;

  private:
    template<class Visit>
    void each_apart(Visit visit) const;

    Builder& plan_;
    const Levels& levels_;
    const Blocks& blocks_;
    int except_;
    bool are_in_place_;
    Blocks joined_;
};

// The shapes of the two levels: of the largest node, and of one rank of each. Blocks are as large
// as those of the whole if nothing else is said.
Shape shape_within(const Shape& shape, Kind kind);
Shape shape_between(const Shape& shape, Kind kind);
// The same with blocks of `largest`.
Shape with_blocks(Shape part, Bytes largest);

// What a plan that repeats_among_leaders has there.
const Solver& among_leaders(const Shape& shape, const Model& model);

// What the cost of the parts is multiplied by where the messages of a plan in one piece overlap,
// and those of its parts follow each other. An estimate.
inline constexpr double no_overlap = 1.25;

// `lanes`: how many ranks of a node are at it at once.
double cost_of_part(const Shape& part, const Model& model, int lanes = 1);

// What this rank does in a part, with all as a Problem has it, by position among the ranks.
struct Part {
    Shape shape;
    const RankList& ranks;
    int self = 0;
    int root = 0;
    Blocks send = {};
    Blocks recv = {};
    Sizes sizes = {};
    int lanes = 1;
};

void solve(const Part& part, Builder& plan);

} // namespace mpix::plan
