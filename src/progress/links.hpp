// SPDX-License-Identifier: BSD-3-Clause
//
// The queues of one operation within the node: for each rank that it sends to, a block in this
// process's segment with a design and the slots of each message. Blocks outlive the operation until
// the receiver is done with it too.
#pragma once

#include "plan/plan.hpp"
#include "progress/transport.hpp"
#include "shmem/benchmark.hpp"
#include "shmem/block.hpp"
#include "shmem/doorbell.hpp"
#include "shmem/line_memory.hpp"
#include "shmem/peer.hpp"

#include <boost/container/small_vector.hpp>

#include <functional>
#include <memory>
#include <span>

namespace mpix::progress {

class Links {
  public:
    // Where the data of a send step stand.
    using Source = std::function<const std::byte*(const plan::Step&)>;

    // A process of this node, or this process itself, that a plan has all its messages with.
    struct Connection {
        std::shared_ptr<const shmem::Peer> peer; // null: it is this process
        shmem::Doorbell* doorbell = nullptr;
        bool can_read = false;

        std::byte* memory() const { return peer ? peer->at(0) : shmem::segment().memory(); }
        std::int64_t process() const {
            return peer ? peer->ticket().process : shmem::segment().ticket().process;
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
    explicit Links(const plan::Plan& plan);
    // A plan that only sends, or only receives what the other end has in that block. Local.
    Links(const Connection& connection, const plan::Plan& plan, const Source& source,
          const shmem::Costs& costs);
    Links(const Connection& connection, const plan::Plan& plan, std::uint64_t block);
    ~Links();

    // Local; what throws leaves nothing that the destructor does not give back.
    void reserve(std::span<const Traffic> traffic);
    void add_doorbell(shmem::Doorbell* doorbell) { doorbells_.push_back(doorbell); }
    // Makes a block for what this process sends there. False if there is no memory for it.
    bool offer(const Traffic& traffic, const Source& source, bool can_read,
               const shmem::Costs& costs);
    // What that process has offered.
    void accept(std::byte* memory, std::int64_t process, const Traffic& traffic,
                std::uint64_t block);
    void count_host_messages(); // when all is offered and accepted

    Links(const Links&) = delete;
    Links& operator=(const Links&) = delete;

    // Null where the message travels over the host.
    shmem::Sender* sender(plan::StepId id) { return queues_[static_cast<std::size_t>(id)].out; }
    shmem::Receiver* receiver(plan::StepId id) { return queues_[static_cast<std::size_t>(id)].in; }
    // The message of that step is never sent again, and the last one was received.
    void end(plan::StepId id) noexcept {
        if (shmem::Sender* const out = sender(id)) out->end();
    }

    // Wakes those who have messages of this plan to wait for, if they sleep.
    void ring() const {
        for (shmem::Doorbell* doorbell : doorbells_) doorbell->ring();
    }
    bool has_doorbells() const { return !doorbells_.empty(); }
    const Transport& transport() const { return transport_; }
    // Of a plan that only sends to one: what the other end needs. None: it goes over the host.
    static constexpr std::uint64_t no_block = ~std::uint64_t{0};
    std::uint64_t block() const {
        return blocks_.empty() ? no_block : shmem::segment().offset(blocks_.back());
    }

  private:
    struct Queue {
        shmem::Sender* out = nullptr;
        shmem::Receiver* in = nullptr;
    };
    Traffic all_traffic() const;
    void retire() noexcept;
    Traffic queues_of(Traffic traffic) const;
    void share_queue(const Traffic& all);
    void note(plan::StepId id, const shmem::Design& design);
    bool may_share_lines(const shmem::Design& design) const;

    const plan::Plan& plan_;
    std::shared_ptr<const shmem::Peer> peer_; // of a link: what is met stays mapped
    Few<Queue> queues_;                       // by step
    shmem::LineVector<shmem::Sender> senders_;
    shmem::LineVector<shmem::Receiver> receivers_;
    std::int64_t only_peer_ = -1; // of a link: the process
    std::shared_ptr<void> lines_; // ours, shared with other channels
    Few<shmem::Block*> blocks_;   // ours
    Few<shmem::Block*> met_;      // of others
    Few<shmem::Doorbell*> doorbells_;
    Transport transport_;
};

} // namespace mpix::progress
