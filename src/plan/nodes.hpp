// SPDX-License-Identifier: BSD-3-Clause
//
// Which ranks are on which node, and within that on which socket and at which cache. Made once for
// the ranks of a communicator; copies share it. Of ranks that follow each other node after node, or
// are dealt to nodes in turn, it keeps next to nothing, of any others two numbers a rank and level.
#pragma once

#include "plan/progression.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace mpix::plan {

// What ranks share.
enum class Locality : std::uint8_t { network, node, socket, cache };

using RankList = Progression<int>;

class Nodes {
  public:
    Nodes() = default; // nothing is known of them
    // The node of each rank, or what is of another level. They are numbered from 0, and none is
    // without ranks. `inner`: the parts of those, of the same ranks.
    explicit Nodes(const std::vector<int>& of_ranks, Locality locality = Locality::node,
                   Nodes inner = {});

    bool empty() const { return !table_; }
    int count() const; // 0: nothing is known
    int largest() const;
    int smallest() const;
    bool are_in_order() const; // no rank is on an earlier node than the one before it

    int of(int rank) const;
    int size(int node) const;
    int rank(int node, int position) const; // the ranks of a node are in order
    int position(int rank) const;           // in its node
    RankList ranks(int node) const;
    RankList lane(int position) const; // the rank at that position of each node

    Locality shared(int one, int other) const; // by two ranks

    // Within one node: what its ranks share, and the parts that they are in, by position among
    // them, if those are several and not a part for each.
    struct Inside;
    Inside inside(const RankList& ranks) const;
    const Inside& inside_largest() const; // of the first that has as many ranks

    std::size_t bytes() const; // that it keeps

  private:
    Nodes only(const RankList& ranks) const; // by position among them

    struct Table;
    std::shared_ptr<const Table> table_;
};

struct Nodes::Inside {
    Nodes nodes = {};
    Locality locality = Locality::node;
};

} // namespace mpix::plan
