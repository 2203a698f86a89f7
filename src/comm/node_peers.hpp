// SPDX-License-Identifier: BSD-3-Clause
//
// The ranks of a communicator that share the memory of this node, and how they tell each other
// where the queues of a new plan are: a place from each to each, taken once a communicator.
#pragma once

#include "comm/network.hpp"
#include "comm/selection.hpp"
#include "host/symbols.hpp"
#include "shmem/benchmark.hpp"
#include "shmem/block.hpp"
#include "shmem/doorbell.hpp"
#include "shmem/peer.hpp"

#include <memory>
#include <vector>

namespace mpix::comm {

class Calibration;
struct AllRanks;

// What the sender tells the receiver of their messages in one plan. Its place serves plan after
// plan: the next is begun only when all ranks have agreed on it, and so are done with this one.
struct alignas(shmem::cache_line) Introduction {
    enum Kind : std::uint64_t {
        by_node, // there is a design of each message
        by_host, // they are sent over the host
        failed,  // there is no such plan on the sender
    };
    shmem::Number plan{0}; // stored with release when the rest is there, loaded with acquire
    std::uint64_t kind = by_host;
    std::uint64_t block = 0; // where it begins in the sender's segment
};

// Which of its node's parts this process is in, as MPIX_NODE_SIZE divides it; -1: it is alone.
std::int64_t part_of_node();

class NodePeers {
  public:
    NodePeers();
    ~NodePeers();
    NodePeers(const NodePeers&) = delete;
    NodePeers& operator=(const NodePeers&) = delete;

    // Local: the memory that find() takes, to be had before the others are involved.
    void prepare(int ranks_of_all);

    // Collective over all of them, once. Where the memory cannot be had, on any of
    // them, they all are without node peers. On the way it tells how each rank chooses solvers, and
    // the largest tag that all have.
    struct Findings {
        std::vector<Fingerprints> fingerprints;
        int tag_limit = 0;
        shmem::Costs costs;
        NetworkCosts network, usual_network; // not there where all are on one machine
    };
    Findings find(const AllRanks& all_ranks);

    // Null where a rank is not on this node.
    const shmem::Peer* peer(int rank_of_all) const { return node_peer(rank_of_all).peer.get(); }
    // To ring when there is something for that rank; null if it never sleeps.
    shmem::Doorbell* doorbell(int rank_of_all) const { return node_peer(rank_of_all).doorbell; }
    bool everyone() const { return everyone_; }
    bool can_read() const { return can_read_; }
    const shmem::Costs& costs() const { return costs_; } // of messages within this node
    // The node of each rank, numbered from 0 in the order of their first ranks.
    const std::vector<int>& nodes() const { return nodes_; }

    void introduce(int rank, std::uint64_t plan, Introduction::Kind kind, std::uint64_t block = 0);
    // Waits until that rank has introduced its messages.
    const Introduction& meet(int rank, std::uint64_t plan) const;

    // Tells all that have not heard of it that this rank cannot make that plan.
    void give_up(std::uint64_t plan);

  private:
    struct NodePeer {
        std::shared_ptr<const shmem::Peer> peer;
        shmem::Block* table = nullptr;       // of that rank
        shmem::Doorbell* doorbell = nullptr; // of that rank
        Introduction* to = nullptr;          // in this rank's table
        const Introduction* from = nullptr;
    };
    struct Entry;
    struct Outcome;
    struct Search;

    const NodePeer& node_peer(int rank) const { return peers_[static_cast<std::size_t>(rank)]; }
    NodePeer& node_peer(int rank) { return peers_[static_cast<std::size_t>(rank)]; }
    static Entry own_entry();
    // The place of each rank among those of its node.
    using Places = std::vector<std::uint32_t>;
    void number_nodes(const std::vector<Entry>& all, Places& places);
    bool map(const std::vector<Entry>& all, int self);
    Outcome look(const std::vector<Entry>& all, int self, const Calibration& calibration,
                 Places& places);
    static NetworkCosts measure_network(const std::vector<Entry>& all, const AllRanks& all_ranks,
                                        NetworkMessage& message);
    static NetworkCosts usual(const std::vector<Entry>& all);
    shmem::Costs measure(const std::vector<Entry>& all, int self,
                         const Calibration& calibration) const;
    void offer(Outcome& outcome);
    void settle(const std::vector<Outcome>& outcomes);
    void connect(const std::vector<Outcome>& outcomes, int self, const Places& places);
    void report(const std::vector<Entry>& all, int self) const noexcept;

    std::unique_ptr<Search> search_; // until it is done
    std::vector<NodePeer> peers_;
    shmem::Block* table_ = nullptr; // of introductions: one to each rank of the node
    std::vector<int> nodes_;
    shmem::Costs costs_;
    bool is_mapped_ = false;
    bool everyone_ = false;
    bool can_read_ = false;
};

} // namespace mpix::comm
