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

    // Who handles one kind of letters. `take` is called below the progress of any call. What it
    // throws has changed nothing: the letter is handed over again in later turns, after some of
    // them with is_last_try(), when whom it concerns fails instead. `expects` tells whether letters
    // have to be waited for. `try_again`, which may not throw, is called in every turn while they
    // are, and tells whether it did what could not be done before.
    struct Handler {
        void (*take)(int source, const std::byte* letter) = nullptr;
        bool (*expects)() = nullptr;
        bool (*try_again)() = nullptr;
    };
    bool is_last_try() const { return is_last_try_; }
    void hand_to(int kind, const Handler& handler) {
        handlers_[static_cast<std::size_t>(kind)] = handler;
    }

    // From now on letters of this kind that come over the post are taken. Throws Failure,
    // bad_alloc.
    void listen_to(MPI_Comm post, int kind);

    // Room for letters, to be had before anything changes: with it writing cannot fail.
    class Sheets;

    // What the host refuses is sent in a later turn, in its order.
    template<class Letter>
    void write(Sheets& sheets, MPI_Comm post, int peer, int kind, const Letter& letter) noexcept {
        static_assert(std::is_trivially_copyable_v<Letter> && sizeof(Letter) <= longest);
        Outbox& out = take_from(sheets);
        out.to = {post, kind};
        out.peer = peer;
        out.bytes = static_cast<int>(sizeof(Letter));
        std::memcpy(out.letter.data(), &letter, sizeof(Letter));
        send_all();
    }
    template<class Letter>
    void write(MPI_Comm post, int peer, int kind, const Letter& letter) {
        Sheets sheets(1);
        write(sheets, post, peer, kind, letter);
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
    static constexpr int most_tries = 100;
    using Place = std::pair<MPI_Comm, int>; // post and kind
    struct Inbox {
        MPI_Request request = MPI_REQUEST_NULL;
        bool is_opening = false;
        bool is_full = false; // its letter has come, from `source`, and nobody has taken it
        int source = 0;
        int tries = 0; // in vain
        Paper letter;
    };
    struct Outbox {
        MPI_Request request = MPI_REQUEST_NULL;
        Place to;
        int peer = 0;
        int bytes = 0;
        Paper letter;
    };

    Outbox& take_from(Sheets& sheets) noexcept;
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
    class Sheets {
      public:
        explicit Sheets(std::size_t count) : list_(count) {}

      private:
        friend class Mail;
        std::list<Outbox> list_;
    };
};

Mail& mail();

// The same with the guard, and also where no letter was ever expected here.
void close_mail(MPI_Comm post);

// Before the host ends, and also where no letter was ever written here. Collective over all
// processes of the world, whose post this is; null: there is none.
void end_mail(MPI_Comm world);

} // namespace mpix::run
