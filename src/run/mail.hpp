// SPDX-License-Identifier: BSD-3-Clause
//
// Letters: what two processes have to tell each other once, over a post, without waiting for
// anyone. They are read while the program makes progress. A letter is small enough that no host
// makes its sender wait. Under the engine's guard.
#pragma once

#include "host/host.hpp"

#include <array>
#include <cstddef>
#include <cstring>
#include <list>
#include <map>
#include <type_traits>
#include <utility>

namespace mpix::run {

class Mail {
  public:
    static constexpr int kinds = 2; // each has its number as tag

    // Who handles one kind of letters. `take` is called below the progress of any call, where
    // nothing may be thrown; `expects` tells whether letters have to be waited for.
    struct Handler {
        void (*take)(int source, const std::byte* letter) = nullptr;
        bool (*expects)() = nullptr;
    };
    void hand_to(int kind, const Handler& handler) {
        handlers_[static_cast<std::size_t>(kind)] = handler;
    }

    // From now on letters of this kind that come over the post are taken.
    void listen_to(MPI_Comm post, int kind);

    template<class Letter>
    void write(MPI_Comm post, int peer, int kind, const Letter& letter) {
        static_assert(std::is_trivially_copyable_v<Letter> && sizeof(Letter) <= longest);
        Outbox& out = new_outbox();
        std::memcpy(out.letter.data(), &letter, sizeof(Letter));
        send(out, sizeof(Letter), post, peer, kind);
    }

    // Call this when there is more to wait for than before.
    void listen_if_needed();

    // Nobody here uses this post any more.
    void close(MPI_Comm post);

    // Before the host ends. A letter that nobody takes would keep its writer there for ever: all
    // processes of the world read until all have been taken. Collective over those.
    void settle(MPI_Comm world);
    void end();

  private:
    static constexpr std::size_t longest = 256;
    using Paper = std::array<std::byte, longest>;
    struct Inbox {
        MPI_Request request = MPI_REQUEST_NULL;
        Paper letter;
    };
    struct Outbox {
        MPI_Request request = MPI_REQUEST_NULL;
        Paper letter;
    };
    using Place = std::pair<MPI_Comm, int>; // post and kind

    Outbox& new_outbox();
    void send(Outbox& out, std::size_t bytes, MPI_Comm post, int peer, int kind);
    bool read(const Place& from, Inbox& inbox);
    bool clear_out();
    bool poll();
    bool expects_any() const;
    static void withdraw(Inbox& inbox);

    std::array<Handler, kinds> handlers_{};
    std::map<Place, Inbox> inboxes_; // nodes stay where they are
    std::list<Outbox> outbox_;
    bool is_ending_ = false;
};

Mail& mail();

// The same with the guard, and also where no letter was ever expected here.
void close_mail(MPI_Comm post);

// Before the host ends, and also where no letter was ever written here. Collective over all
// processes of the world.
void end_mail();

} // namespace mpix::run
