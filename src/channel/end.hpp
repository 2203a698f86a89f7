// SPDX-License-Identifier: BSD-3-Clause
//
// One end of a channel: what it was made of, and how its operation gets a plan when its partner is
// known. It lives as long as the operation, and until it has met its partner.
#pragma once

#include "channel/handshake.hpp"
#include "collective/arguments.hpp"
#include "comm/communicator_id.hpp"
#include "progress/binding.hpp"
#include "progress/operation.hpp"

#include <memory>

namespace mpix::channel {

// The persistent send or receive, and what the program asks of the channel.
struct ChannelArguments {
    const char* call = "";
    bool sends = false;
    bool is_synchronous = false;
    std::byte* buffer = nullptr;
    std::int64_t count = 0;
    MPI_Datatype type = MPI_BYTE;
    int peer = 0; // of the communicator, of the remote group if it has two, or a wildcard
    int tag = 0;
    MPI_Comm comm = MPI_COMM_NULL;
    int slack = 1;
    std::int64_t increment = 0; // elements from one transfer's data to those of the next
    bool splits = false;
    bool over_host = false;
};

class ChannelEnd {
  public:
    enum class State : std::uint8_t { waiting, bound, failed };

    // With its operation. Local. Throws Failure.
    struct Made {
        std::shared_ptr<ChannelEnd> end;
        std::unique_ptr<progress::Operation> operation;
    };
    static Made make(const ChannelArguments& arguments);

    explicit ChannelEnd(const ChannelArguments& arguments);
    ~ChannelEnd();
    ChannelEnd(const ChannelEnd&) = delete;
    ChannelEnd& operator=(const ChannelEnd&) = delete;

    const ChannelArguments& arguments() const { return arguments_; }
    MPI_Comm control() const { return identity_->control(); }
    std::shared_ptr<const progress::ErrorCommunicator> error_communicator() const {
        return identity_;
    }
    int control_peer() const { return control_peer_; }
    bool matches(const Handshake& request) const;

    // What the other end has to know.
    void describe(Handshake& handshake) const;

    // Checks the partner. Throws Failure, as the sender's will be when it gets the refusal. This
    // and the binds may be tried again after what they throw.
    void accept(int control_peer, const Handshake& request);
    [[noreturn]] void refuse(const Handshake& refusal) const;
    [[noreturn]] void report_failure() const; // of the sender
    // Gives the operation its plan. The sender says in `offer` where its messages are. An end that
    // was unbound before it met its partner has none: the partner is bound, and nothing travels.
    void bind_sender(const Handshake& accepted, Handshake& offer);
    void bind_receiver(const Handshake& offer);
    void bind_alone();   // to MPI_PROC_NULL
    void fail(int code); // nothing will travel; what it throws is no memory for that

    State state() const { return state_; }
    int code() const { return code_; }
    const std::optional<progress::Envelope>& partner() const { return partner_; }
    // Completes when this end is bound, or has failed.
    void keep_promise(progress::Operation& promise);

    std::uint64_t number = 0; // among those of this process

  private:
    class Keeper;
    std::int64_t message_bytes(const Handshake& theirs) const;
    std::int64_t count_of(std::int64_t block) const;
    void check_partner(const Handshake& sender, const Handshake& receiver) const;
    void bind(int peer, std::int64_t block, std::int64_t message, const progress::OpenLinks& open);
    void become(State state);

    const ChannelArguments arguments_;
    const std::shared_ptr<comm::CommunicatorId> identity_;
    std::int64_t bytes_ = 0; // of a block
    int own_rank_ = 0;
    int control_peer_ = MPI_PROC_NULL;
    bool is_far_ = false;
    int tag_ = -1;      // for the messages over the host, taken by the sender
    Handshake request_; // of the sender, at a receiver
    std::optional<progress::Envelope> partner_;
    progress::Operation* operation_ = nullptr; // null: the program has freed it
    progress::Operation* promise_ = nullptr;
    State state_ = State::waiting;
    int code_ = MPI_SUCCESS;
};

} // namespace mpix::channel
