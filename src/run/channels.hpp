// SPDX-License-Identifier: BSD-3-Clause
//
// The edges of one operation within the node: for each rank that it sends to, a block in this
// process's segment with a design and the slots of each message. Blocks outlive the operation until
// the receiver is done with it too.
#pragma once

#include "node/block.hpp"
#include "node/line_memory.hpp"
#include "plan/plan.hpp"
#include "run/mates.hpp"
#include "run/transport.hpp"

#include <boost/container/small_vector.hpp>

#include <functional>
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

    // Collective among the mates that the plan, the context's latest, has messages with.
    Channels(Context& context, const plan::Plan& plan, bool is_wanted, const Source& source);
    // All messages travel over the host.
    explicit Channels(const plan::Plan& plan);
    // A plan that only sends, or only receives what the other end has in that block. Local.
    Channels(const Link& link, const plan::Plan& plan, const Source& source);
    Channels(const Link& link, const plan::Plan& plan, std::uint64_t block);
    ~Channels();
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
        return blocks_.empty() ? no_block : node::segment().offset(blocks_[0]);
    }

  private:
    struct Edge {
        node::Outgoing* out = nullptr;
        node::Incoming* in = nullptr;
    };
    struct Traffic;
    template<class T>
    using Few = boost::container::small_vector<T, 2>; // as a pair has

    void reserve(std::span<const Traffic> traffic);
    void count_host_messages();
    std::vector<Traffic> traffic_of(const Context& context) const;
    Traffic all_traffic() const;
    void meet(const Context& context, const Traffic& traffic);
    void retire() noexcept;
    Traffic edges_of(Traffic traffic) const;
    void share_edge(const Traffic& all);
    bool may_share_lines(const node::Design& design) const;
    bool offer(const Traffic& traffic, const Source& source, bool can_read,
               const node::Costs& costs);
    void accept(std::byte* memory, std::int64_t process, const Traffic& traffic,
                std::uint64_t block);

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
