// SPDX-License-Identifier: BSD-3-Clause
//
// One end of a partitioned send or receive: what is known of it before the other end is, and how
// it gets its plan then.
#pragma once

#include "comm/communicator_id.hpp"
#include "comm/control_messages.hpp"
#include "partition/handshake.hpp"
#include "partition/message_limits.hpp"
#include "partition/segments.hpp"
#include "progress/operation.hpp"

#include <list>
#include <memory>

namespace mpix::partition {

class PairEnd {
  public:
    PairEnd(const collective::Arguments& arguments, std::shared_ptr<comm::CommunicatorId> identity,
            bool sends, int peer, int tag);
    ~PairEnd();
    PairEnd(const PairEnd&) = delete;
    PairEnd& operator=(const PairEnd&) = delete;

    bool sends() const { return sends_; }
    int peer() const { return peer_; } // its rank in the control communicator
    int tag() const { return tag_; }
    const comm::CommunicatorId& identity() const { return *identity_; }
    const std::shared_ptr<comm::CommunicatorId>& shared_identity() const { return identity_; }
    std::int64_t bytes() const { return segment_.bytes(); }
    // What the status of a receive tells, if all of it comes.
    void set_envelope(const progress::Envelope& envelope) { envelope_ = envelope; }
    progress::Operation& operation() const { return *operation_; }
    void attach(progress::Operation& operation) { operation_ = &operation; }

    // What the other end has to know.
    void describe(Handshake& handshake) const;

    // Gives the operation its plan. The sender says in `offer` where its messages are. What they
    // throw has left it without one: that may be tried again.
    void bind_sender(const comm::ProcessAddress& receiver, Handshake& offer);
    void bind_receiver(const Handshake& offer);
    // There is no other end, or it has failed: nothing travels.
    void bind_alone(int code);

    // ---- for the matching ----

    std::uint64_t turn = 0;  // among those of this process
    bool is_waiting = false; // it has no plan yet
    bool is_started = false;
    bool has_met = false; // and is not in its line any more
    bool has_failed = false;
    int tries = 0;     // in vain, to make its plan
    Handshake partner; // that it has met: of a sender the address alone

    // Room for what it takes part in, to be had before anything changes. In a queue it is once;
    // control messages are a request and its withdrawal, or an announcement and what becomes of
    // that.
    struct Note {
        std::shared_ptr<comm::CommunicatorId> from = {};
        int peer = 0;
        Handshake handshake = {};
        comm::ControlMessages::Room sheet{1};
    };
    std::list<PairEnd*> place = std::list<PairEnd*>(1, this);
    std::list<Note> notes = std::list<Note>(2);

  private:
    plan::Partitioned problem() const;
    void bind(const plan::Partitioned& problem, const progress::OpenLinks& open, int tag);

    const std::shared_ptr<comm::CommunicatorId> identity_;
    const bool sends_;
    const bool over_host_;
    const int peer_, tag_;
    const MessageLimits terms_;
    Binding binding_;
    plan::Segment segment_;
    int first_tag_ = -1; // taken
    progress::Envelope envelope_{};
    progress::Operation* operation_ = nullptr;
};

} // namespace mpix::partition
