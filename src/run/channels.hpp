// SPDX-License-Identifier: BSD-3-Clause
//
// The edges of one operation within the node: for each rank that it sends to, a block in this
// process's segment with a design and the slots of each message. Blocks outlive the operation until
// the receiver is done with it too.
#pragma once

#include "node/bell.hpp"
#include "node/block.hpp"
#include "node/course.hpp"
#include "node/line_memory.hpp"
#include "node/peer.hpp"
#include "plan/plan.hpp"
#include "run/transport.hpp"

#include <boost/container/small_vector.hpp>

#include <functional>
#include <memory>
#include <span>

namespace mpix::run {

class Channels {
  public:
    // Where the data of a send step stand.
    using Source = std::function<const std::byte*(const plan::Step&)>;

    // A process of this node, or this process itself, that a plan has all its messages with.
    struct Link {
        std::shared_ptr<const node::Peer> peer; // null: it is this process
        node::Bell* bell = nullptr;
        bool can_read = false;

        std::byte* memory() const { return peer ? peer->at(0) : node::segment().memory(); }
        std::int64_t process() const {
            return peer ? peer->ticket().process : node::segment().ticket().process;
        }
    };

    template<class T>
    using Few = boost::container::small_vector<T, 2>; // as a pair has
    // The messages with one process.
    struct Traffic {
        int rank;
        Few<plan::StepId> sends, receives;
    };

    // All messages travel over the host, but those that are offered or accepted afterwards.
    explicit Channels(const plan::Plan& plan);
    // A plan that only sends, or only receives what the other end has in that block. Local.
    Channels(const Link& link, const plan::Plan& plan, const Source& source,
             const node::Costs& costs);
    Channels(const Link& link, const plan::Plan& plan, std::uint64_t block);
    ~Channels();

    // Local; what throws leaves nothing that the destructor does not give back.
    void reserve(std::span<const Traffic> traffic);
    void add_bell(node::Bell* bell) { bells_.push_back(bell); }
    // Makes a block for what this process sends there. False if there is no memory for it.
    bool offer(const Traffic& traffic, const Source& source, bool can_read,
               const node::Costs& costs);
    // What that process has offered.
    void accept(std::byte* memory, std::int64_t process, const Traffic& traffic,
                std::uint64_t block);
    void count_host_messages(); // when all is offered and accepted

    Channels(const Channels&) = delete;
    Channels& operator=(const Channels&) = delete;

    // Null where the message travels over the host.
    node::Outgoing* outgoing(plan::StepId id) { return edges_[static_cast<std::size_t>(id)].out; }
    node::Incoming* incoming(plan::StepId id) { return edges_[static_cast<std::size_t>(id)].in; }

    // Wakes those who have messages of this plan to wait for, if they sleep.
    void ring() const {
        for (node::Bell* bell : bells_) bell->ring();
    }
    bool has_bells() const { return !bells_.empty(); }
    const Transport& transport() const { return transport_; }
    // Of a plan that only sends to one: what the other end needs. None: it goes over the host.
    static constexpr std::uint64_t no_block = ~std::uint64_t{0};
    std::uint64_t block() const {
        return blocks_.empty() ? no_block : node::segment().offset(blocks_.back());
    }

  private:
    struct Edge {
        node::Outgoing* out = nullptr;
        node::Incoming* in = nullptr;
    };
    Traffic all_traffic() const;
    void retire() noexcept;
    Traffic edges_of(Traffic traffic) const;
    void share_edge(const Traffic& all);
    bool may_share_lines(const node::Design& design) const;

    const plan::Plan& plan_;
    std::shared_ptr<const node::Peer> peer_; // of a link: what is met stays mapped
    Few<Edge> edges_;                        // by step
    node::LineVector<node::Outgoing> outgoing_;
    node::LineVector<node::Incoming> incoming_;
    std::int64_t only_peer_ = -1; // of a link: the process
    std::shared_ptr<void> lines_; // ours, shared with other channels
    Few<node::Block*> blocks_;    // ours
    Few<node::Block*> met_;       // of others
    Few<node::Bell*> bells_;
    Transport transport_;
};

} // namespace mpix::run
