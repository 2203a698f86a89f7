// SPDX-License-Identifier: BSD-3-Clause
//
// The ranks of a communicator that share the memory of this node, and how they tell each other
// where the queues of a new plan are: a place from each to each, taken once a communicator.
#pragma once

#include "comm/exchange.hpp"
#include "comm/leaving.hpp"
#include "comm/network.hpp"
#include "comm/selection.hpp"
#include "host/symbols.hpp"
#include "plan/problem.hpp"
#include "shmem/benchmark.hpp"
#include "shmem/block.hpp"
#include "shmem/doorbell.hpp"
#include "shmem/peer.hpp"

#include <memory>
#include <vector>

namespace mpix::comm {

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

class NodePeers {
  public:
    NodePeers();
    ~NodePeers();
    NodePeers(const NodePeers&) = delete;
    NodePeers& operator=(const NodePeers&) = delete;

    // Local: the memory that find() takes, to be had before the others are involved.
    void prepare(int ranks_of_all);

    // Collective over all of them, once. A rank that cannot have the memory of another, or none of
    // its own, is a node of its own, and the others are as if it were elsewhere. On the way it
    // tells how ranks choose solvers, and the largest tag that all have.
    struct Findings {
        AllFingerprints fingerprints;
        int tag_limit = 0;
        shmem::Costs costs;
        NetworkCosts network, usual_network; // not there where all are on one machine
    };
    Findings find(const Ranks& all_ranks);

    // Of what they have found, the same on all.
    std::uint64_t name() const { return name_; }

    // Null where a rank is not on this node.
    const shmem::Peer* peer(int rank_of_all) const;
    // To ring when there is something for that rank; null if it never sleeps.
    shmem::Doorbell* doorbell(int rank_of_all) const;
    bool everyone() const { return everyone_; }
    bool can_read() const { return can_read_; }          // all on this node
    const shmem::Costs& costs() const { return costs_; } // of messages within this node
    // Tells a shape where its ranks are, which are all; nothing where all goes over the host.
    void place(plan::Shape& shape, bool over_host) const;

    void introduce(int rank, std::uint64_t plan, Introduction::Kind kind, std::uint64_t block = 0);
    // Waits until that rank has introduced its messages.
    const Introduction& meet(int rank, std::uint64_t plan) const;

    // Tells all that have not heard of it that this rank cannot make that plan.
    void give_up(std::uint64_t plan);

  private:
    struct NodePeer {
        int rank = -1;
        std::shared_ptr<const shmem::Peer> peer; // null: this rank itself
        shmem::Block* table = nullptr;           // of that rank
        shmem::Doorbell* doorbell = nullptr;     // of that rank
        Introduction* to = nullptr;              // in this rank's table
        const Introduction* from = nullptr;
    };
    struct Entry;
    struct Outcome;
    struct Verdict;
    struct Search;

    const NodePeer* node_peer(int rank) const; // null where it is not on this node
    static Entry own_entry();
    bool meet_mates(const Ranks& all_ranks, Search& search);
    Outcome look(const Search& search);
    Missing map(const Search& search);
    bool offer(std::uint64_t& table);
    void measure(Search& search) const;
    static void measure_network(const Ranks& all_ranks, Search& search);
    Findings conclude(const Ranks& all_ranks, const Search& search);
    void forget_mates();
    void connect(std::size_t self, const std::vector<std::uint64_t>& tables);
    void report(const Ranks& all_ranks, const Search& search) const;

    std::unique_ptr<Search> search_; // until it is done
    std::uint64_t name_ = 0;
    plan::Nodes nodes_;
    std::vector<NodePeer> peers_;   // of this node, in the order of ranks
    shmem::Block* table_ = nullptr; // of introductions: one to each rank of the node
    shmem::Costs costs_;
    bool everyone_ = false;
    bool can_read_ = false;
};

} // namespace mpix::comm
