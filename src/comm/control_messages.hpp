// SPDX-License-Identifier: BSD-3-Clause
//
// Control messages: what two processes have to tell each other once, over a control communicator,
// without waiting for anyone. They are read while the program makes progress. A message is small
// enough that no host makes its sender wait. Under the engine's guard.
#pragma once

#include "host/host.hpp"

#include <array>
#include <cstddef>
#include <cstring>
#include <list>
#include <map>
#include <type_traits>
#include <utility>

namespace mpix::comm {

class ControlMessages {
  public:
    static constexpr int kinds = 2; // each has its number as tag

    // Who handles one kind of control messages. `take` is called below the progress of any call.
    // What it throws has changed nothing: the message is handed over again in later turns, after
    // some of them with is_last_try(), when whom it concerns fails instead. `expects` tells whether
    // control messages have to be waited for. `try_again`, which may not throw, is called in every
    // turn while they are, and tells whether it did what could not be done before.
    struct Handler {
        void (*take)(int source, const std::byte* message) = nullptr;
        bool (*expects)() = nullptr;
        bool (*try_again)() = nullptr;
    };
    bool is_last_try() const { return is_last_try_; }
    void hand_to(int kind, const Handler& handler) {
        handlers_[static_cast<std::size_t>(kind)] = handler;
    }

    // From now on control messages of this kind that come over the control communicator are taken.
    // Throws Failure, bad_alloc.
    void listen_to(MPI_Comm control, int kind);

    // Room for control messages, to be had before anything changes: with it writing cannot fail.
    class Room;

    // What the host refuses is sent in a later turn, in its order.
    template<class Message>
    void write(Room& room, MPI_Comm control, int peer, int kind, const Message& message) noexcept {
        static_assert(std::is_trivially_copyable_v<Message> && sizeof(Message) <= longest);
        Outbox& out = take_from(room);
        out.to = {control, kind};
        out.peer = peer;
        out.bytes = static_cast<int>(sizeof(Message));
        std::memcpy(out.message.data(), &message, sizeof(Message));
        send_all();
    }
    template<class Message>
    void write(MPI_Comm control, int peer, int kind, const Message& message) {
        Room room(1);
        write(room, control, peer, kind, message);
    }

    // Call this when there is more to wait for than before.
    void listen_if_needed();

    // Nobody here uses this communicator any more.
    void close(MPI_Comm control);

    // Before the host ends. A message that nobody takes would keep its writer there for ever: all
    // processes of the world read until all have been taken. Collective over those.
    void settle(MPI_Comm world);
    void end();

  private:
    static constexpr std::size_t longest = 256;
    using Bytes = std::array<std::byte, longest>;
    static constexpr int most_tries = 100;
    using Place = std::pair<MPI_Comm, int>; // control communicator and kind
    struct Inbox {
        MPI_Request request = MPI_REQUEST_NULL;
        bool is_opening = false;
        bool is_full = false; // its message has come, from `source`, and nobody has taken it
        int source = 0;
        int tries = 0; // in vain
        Bytes message;
    };
    struct Outbox {
        MPI_Request request = MPI_REQUEST_NULL;
        Place to;
        int peer = 0;
        int bytes = 0;
        Bytes message;
    };

    Outbox& take_from(Room& room) noexcept;
    void send_all() noexcept;
    int open(const Place& from, Inbox& inbox) noexcept;
    bool fetch(const Place& from, Inbox& inbox) noexcept;
    bool hand_over(int kind, Inbox& inbox) noexcept;
    bool read(const Place& from, Inbox& inbox) noexcept;
    bool clear_out() noexcept;
    bool poll() noexcept;
    bool expects_any() const;
    static void withdraw(Inbox& inbox);

    std::array<Handler, kinds> handlers_{};
    std::map<Place, Inbox> inboxes_; // nodes stay where they are
    std::list<Outbox> unsent_;
    std::list<Outbox> outbox_;
    bool is_sending_ = false;
    bool is_last_try_ = false;
    bool is_ending_ = false;
    int refusals_ = 0; // while it ends

  public:
    class Room {
      public:
        explicit Room(std::size_t count) : list_(count) {}

      private:
        friend class ControlMessages;
        std::list<Outbox> list_;
    };
};

ControlMessages& control_messages();

// The same with the guard, and also where no message was ever expected here.
void close_control_messages(MPI_Comm control);

// Before the host ends, and also where no message was ever written here. Collective over all
// processes of the world, whose control communicator this is; null: there is none.
void end_control_messages(MPI_Comm world);

} // namespace mpix::comm
