// SPDX-License-Identifier: BSD-3-Clause
//
// The edges of one operation within the node: for each rank that it sends to, a block in this
// process's segment with a design and the slots of each message. Blocks outlive the operation until
// the receiver is done with it too.
#pragma once

#include "node/block.hpp"
#include "plan/plan.hpp"
#include "run/mates.hpp"
#include "run/transport.hpp"

#include <functional>

namespace mpix::run {

class Channels {
  public:
    // Where the data of a send step stand.
    using Source = std::function<const std::byte*(const plan::Step&)>;

    // Collective among the mates that the plan, the context's latest, has messages with.
    Channels(Context& context, const plan::Plan& plan, bool is_wanted, const Source& source);
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
    const Transport& transport() const { return transport_; }

  private:
    struct Edge {
        node::Outgoing* out = nullptr;
        node::Incoming* in = nullptr;
    };
    struct Traffic;

    void count_host_messages();
    std::vector<Traffic> traffic_of(const Context& context) const;
    void meet(const Context& context, const Traffic& traffic);
    void retire() noexcept;
    bool offer(Mates& mates, const Traffic& traffic, const Source& source);
    void accept(const node::Peer& peer, const Traffic& traffic, std::uint64_t block);

    const plan::Plan& plan_;
    std::vector<Edge> edges_; // by step
    std::vector<node::Outgoing> outgoing_;
    std::vector<node::Incoming> incoming_;
    std::vector<node::Block*> blocks_; // ours
    std::vector<node::Block*> met_;    // of others
    std::vector<node::Bell*> bells_;
    Transport transport_;
};

} // namespace mpix::run
