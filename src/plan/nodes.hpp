// SPDX-License-Identifier: BSD-3-Clause
//
// Which ranks are on which node. Made once for the ranks of a communicator; copies share it. Of
// ranks that follow each other node after node, or are dealt to nodes in turn, it keeps next to
// nothing, of any others two numbers a rank.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

namespace mpix::plan {

class Nodes {
  public:
    Nodes() = default; // nothing is known of them
    // The node of each rank. They are numbered from 0, and none is without ranks.
    explicit Nodes(const std::vector<int>& of_ranks);

    bool empty() const { return !table_; }
    int count() const; // 0: nothing is known
    int largest() const;
    int smallest() const;
    bool are_in_order() const; // no rank is on an earlier node than the one before it

    int of(int rank) const;
    int size(int node) const;
    int rank(int node, int position) const; // the ranks of a node are in order
    std::vector<int> ranks(int node) const;

    std::size_t bytes() const; // that it keeps

  private:
    struct Table;
    std::shared_ptr<const Table> table_;
};

} // namespace mpix::plan
