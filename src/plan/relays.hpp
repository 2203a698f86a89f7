// SPDX-License-Identifier: BSD-3-Clause
//
// Messages that every rank of several nodes wants cross to each node once, to one rank of it, which
// passes them on to the others there. One message after another goes to the next rank of a node: so
// the ranks share the work, and what one of them is slow with is a part.
#pragma once

#include "plan/model.hpp"
#include "plan/problem.hpp"

#include <vector>

namespace mpix::plan {

// Whether an operation on partitions does so. The same on all ranks.
bool has_relays(const Shape& shape, const Model& model);

// From one rank to another, at most, if each source has so many for all.
std::int64_t messages_with_relays(const Nodes& nodes, Kind kind, std::int64_t of_source);

// As one rank sees them.
class Relays {
  public:
    struct Source {
        int rank;
        std::int64_t messages;
    };
    // In the order of their ranks.
    Relays(const Nodes& nodes, int self, const std::vector<Source>& sources);

    const RankList& mates() const { return mates_; }   // of the node, this rank too
    std::size_t position() const { return position_; } // of this rank among them
    bool is_mate(int rank) const { return nodes_.of(rank) == node_; }
    // Whether message `number` of this rank goes to that one from here.
    bool goes(std::size_t number, int to) const;
    // The rank of this node to which message `number` of that source comes, from elsewhere.
    int relay(int source, std::size_t number) const;

  private:
    int dealt(int node, std::int64_t number) const;

    Nodes nodes_;
    int node_;
    RankList mates_;
    std::size_t position_;
    std::vector<std::int64_t> out_; // of what comes to each node: the number of this rank's first
    std::vector<std::int64_t> in_;  // the same of what comes here, by source
};

} // namespace mpix::plan
