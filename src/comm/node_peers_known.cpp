// SPDX-License-Identifier: BSD-3-Clause
//
// Meeting the ranks of a communicator again, on another one: all is known but where the new tables
// of introductions are.
#include "comm/node_peers.hpp"

#include <algorithm>
#include <new>

namespace mpix::comm {

bool NodePeers::take_over(const NodePeers& known) try {
    if (known.name_ == 0) return false;
    for (const NodePeer& mate : known.peers_) {
        peers_.push_back({.rank = mate.rank, .peer = mate.peer, .doorbell = mate.doorbell});
        mates_.push_back(mate.rank);
    }
    tables_.resize(peers_.size());
    std::uint64_t table = 0;
    if (!offer(table)) {
        peers_.clear();
        return false;
    }
    tables_[0] = table; // until they are exchanged
    nodes_ = known.nodes_;
    costs_ = known.costs_;
    everyone_ = known.everyone_;
    can_read_ = known.can_read_;
    findings_ = known.findings_;
    name_ = known.name_;
    return true;
} catch (const std::bad_alloc&) {
    peers_.clear();
    return false;
}

const NodePeers::Findings& NodePeers::meet_again(const Ranks& all_ranks) {
    search_.reset();
    const auto own = std::ranges::find(mates_, all_ranks.self);
    const auto self = static_cast<std::size_t>(own - mates_.begin());
    const std::uint64_t table = tables_[0];
    exchange({.comm = all_ranks.comm,
              .self = static_cast<int>(self),
              .count = static_cast<int>(mates_.size()),
              .list = mates_.data()},
             table, tables_);
    connect(self, tables_);
    peers_.shrink_to_fit();
    mates_ = {};
    tables_ = {};
    return findings_;
}

// What was taken over, where another rank could not.
void NodePeers::forget_known() {
    forget_mates();
    nodes_ = {};
    name_ = 0;
    everyone_ = can_read_ = false;
}

} // namespace mpix::comm
