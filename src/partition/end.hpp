// SPDX-License-Identifier: BSD-3-Clause
//
// One end of a partitioned send or receive: what is known of it before the other end is, and how
// it gets its plan then.
#pragma once

#include "partition/letter.hpp"
#include "partition/segments.hpp"
#include "partition/terms.hpp"
#include "run/identity.hpp"
#include "run/mail.hpp"
#include "run/operation.hpp"

#include <list>
#include <memory>

namespace mpix::partition {

class End {
  public:
    End(const run::Arguments& arguments, std::shared_ptr<run::Identity> identity, bool sends,
        int peer, int tag);
    ~End();
    End(const End&) = delete;
    End& operator=(const End&) = delete;

    bool sends() const { return sends_; }
    int peer() const { return peer_; } // its rank in the post
    int tag() const { return tag_; }
    const run::Identity& identity() const { return *identity_; }
    const std::shared_ptr<run::Identity>& shared_identity() const { return identity_; }
    std::int64_t bytes() const { return segment_.bytes(); }
    // What the status of a receive tells, if all of it comes.
    void set_envelope(const run::Envelope& envelope) { envelope_ = envelope; }
    run::Operation& operation() const { return *operation_; }
    void attach(run::Operation& operation) { operation_ = &operation; }

    // What the other end has to know.
    void describe(Letter& letter) const;

    // Gives the operation its plan. The sender says in `offer` where its messages are. What they
    // throw has left it without one: that may be tried again.
    void bind_sender(const run::Card& receiver, Letter& offer);
    void bind_receiver(const Letter& offer);
    // There is no other end, or it has failed: nothing travels.
    void bind_alone(int code);

    // ---- for the matching ----

    std::uint64_t turn = 0;  // among those of this process
    bool is_waiting = false; // it has no plan yet
    bool is_started = false;
    bool has_met = false; // and is not in its line any more
    bool has_failed = false;
    int tries = 0;  // in vain, to make its plan
    Letter partner; // that it has met: of a sender the card alone

    // Room for what it takes part in, to be had before anything changes. In a queue it is once;
    // letters are a request and its withdrawal, or an announcement and what becomes of that.
    struct Note {
        std::shared_ptr<run::Identity> from = {};
        int peer = 0;
        Letter letter = {};
        run::Mail::Sheets sheet{1};
    };
    std::list<End*> place = std::list<End*>(1, this);
    std::list<Note> notes = std::list<Note>(2);

  private:
    plan::Partitioned problem() const;
    void bind(const plan::Partitioned& problem, const run::Operation::OpenChannels& open, int tag);

    const std::shared_ptr<run::Identity> identity_;
    const bool sends_;
    const bool over_host_;
    const int peer_, tag_;
    const Terms terms_;
    Binding binding_;
    plan::Segment segment_;
    int first_tag_ = -1; // taken
    run::Envelope envelope_{};
    run::Operation* operation_ = nullptr;
};

} // namespace mpix::partition
