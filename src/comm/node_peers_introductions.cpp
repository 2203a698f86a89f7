// SPDX-License-Identifier: BSD-3-Clause
//
// Introducing the messages of a plan to the ranks of this node, and meeting theirs.
#include "comm/node_peers.hpp"

#include "progress/waiting.hpp"

#include <algorithm>

namespace mpix::comm {

const NodePeers::NodePeer* NodePeers::node_peer(int rank) const {
    const auto found = std::ranges::lower_bound(peers_, rank, {}, &NodePeer::rank);
    return found != peers_.end() && found->rank == rank ? &*found : nullptr;
}

const shmem::Peer* NodePeers::peer(int rank_of_all) const {
    const NodePeer* const found = node_peer(rank_of_all);
    return found ? found->peer.get() : nullptr;
}

shmem::Doorbell* NodePeers::doorbell(int rank_of_all) const {
    const NodePeer* const found = node_peer(rank_of_all);
    return found ? found->doorbell : nullptr;
}

void NodePeers::introduce(int rank, std::uint64_t plan, Introduction::Kind kind,
                          std::uint64_t block) {
    const NodePeer& node_peer = *this->node_peer(rank);
    node_peer.to->kind = kind;
    node_peer.to->block = block;
    node_peer.to->plan.store(plan, std::memory_order_release);
    if (node_peer.doorbell) node_peer.doorbell->ring();
}

const Introduction& NodePeers::meet(int rank, std::uint64_t plan) const {
    const Introduction& from = *node_peer(rank)->from;
    progress::wait_until([&] { return from.plan.load(std::memory_order_acquire) >= plan; });
    return from;
}

void NodePeers::give_up(std::uint64_t plan) {
    for (const NodePeer& node_peer : peers_)
        if (node_peer.to && node_peer.to->plan.load(std::memory_order_relaxed) < plan)
            introduce(node_peer.rank, plan, Introduction::failed);
}

} // namespace mpix::comm
