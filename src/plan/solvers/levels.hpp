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

    const std::vector<int>& mates() const { return mates_; }
    int leader() const { return leaders[static_cast<std::size_t>(node)]; }
    bool is_leader() const { return leader() == rank; }
    int leader_in_node() const; // its position among the mates
    int nodes() const { return nodes_.count(); }
    int size(int of_node) const { return nodes_.size(of_node); }
    int rank_at(int of_node, int position) const { return nodes_.rank(of_node, position); }
    std::vector<int> ranks(int of_node) const { return nodes_.ranks(of_node); }
    // One of each node: the rank at that position.
    std::vector<int> lane(int position) const;

    int rank;
    int node;
    int self;                 // the position of this rank among its mates
    std::vector<int> leaders; // of each node

  private:
    Nodes nodes_;
    std::vector<int> mates_;
};

// Whether there are several nodes, some of several ranks, and whether a reduction may combine them
// one after another.
bool has_levels(const Shape& shape);
bool has_levels_to_reduce(const Shape& shape);

// Of what has a part in each place: the places of those ranks, or their sizes.
std::vector<Place> places_of(const std::vector<int>& ranks, const std::vector<Place>& places);
std::vector<Bytes> sizes_of(const std::vector<int>& ranks, const std::vector<Bytes>& sizes);
Bytes sum_of(const std::vector<Bytes>& sizes);
std::vector<Bytes> sizes_of_nodes(const Levels& levels, const std::vector<Bytes>& sizes);
// One after another in `whole`.
std::vector<Place> slices(const Place& whole, const std::vector<Bytes>& sizes);

// The shapes of the two levels: of the largest node, and of one rank of each. Blocks are as large
// as those of the whole if nothing else is said.
Shape shape_within(const Shape& shape, Kind kind);
Shape shape_between(const Shape& shape, Kind kind);
// The same with blocks of `largest`.
Shape with_blocks(Shape part, Bytes largest);

// What the cost of the parts is multiplied by where the messages of a plan in one piece overlap,
// and those of its parts follow each other. An estimate.
inline constexpr double no_overlap = 1.25;

// `lanes`: how many ranks of a node are at it at once.
double cost_of_part(const Shape& part, const Model& model, int lanes = 1);

// What this rank does in a part, with all as a Problem has it, by position among the ranks.
struct Part {
    Shape shape;
    const std::vector<int>& ranks;
    int self = 0;
    int root = 0;
    std::vector<Place> send = {};
    std::vector<Place> recv = {};
    std::vector<Bytes> sizes = {};
    int lanes = 1;
};

void solve(const Part& part, Builder& plan);

} // namespace mpix::plan
