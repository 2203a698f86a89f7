// SPDX-License-Identifier: BSD-3-Clause
//
// One side of an envelope: who is there, and who may go on. What follows from that is the
// matching's to do. Under the engine's guard.
#pragma once

#include "partition/end.hpp"

#include <algorithm>
#include <deque>
#include <map>
#include <optional>
#include <vector>

namespace mpix::partition {

// Own sends, and the requests of the other side.
class SendLine {
  public:
    SendLine() = default;
    SendLine(const SendLine&) = delete;
    SendLine& operator=(const SendLine&) = delete;

    // Sends that have been started and may begin go into `ready`.
    void add(End& end, std::deque<End*>& ready);
    void start(End& end, std::deque<End*>& ready) const;
    void withdraw(const End& end, std::deque<End*>& ready);
    void take_request(const Letter& request, std::deque<End*>& ready);
    void withdraw_request(std::uint64_t turn);

    bool has_announced(const End& end) const { return end.turn <= announced_; }
    // The turns of those that have to be announced before this one is offered.
    std::vector<std::uint64_t> announce_before(const End& end);
    // What the receiver is that this one may be for.
    run::Card next_card();
    // This one is not here any more, but has its place.
    void begin(const End& end, std::deque<End*>& ready);

    bool is_empty() const { return sends_.empty() && requests_.empty() && owed_ == 0; }

  private:
    using Sends = std::map<std::uint64_t, End*>; // by turn; null: it has begun

    bool has_reached(const End& end) const {
        return reach_ == sends_.end() || end.turn < reach_->first;
    }
    void erase(Sends::iterator send);
    void reach(std::deque<End*>& ready);

    Sends sends_;
    Sends::iterator reach_ = sends_.end(); // the first without a request
    std::size_t reached_ = 0;              // those in front of it
    std::map<std::uint64_t, run::Card> requests_;
    std::size_t owed_ = 0; // sends that began on a request that was taken back
    std::uint64_t announced_ = 0;
    std::uint64_t asked_ = 0; // the request whose card was used last
    run::Card card_;
};

// Own receives, and the sends of the other side.
class ReceiveLine {
  public:
    struct Meeting {
        End* receiver;
        Letter offer;
    };

    void add(End& end) { receives_.emplace(end.turn, &end); }
    void announce(std::uint64_t turn) { sends_.try_emplace(turn); }
    // Who has met is not here any more.
    void withdraw_send(std::uint64_t turn, std::deque<Meeting>& met);
    void start(std::deque<Meeting>& met);
    void take_offer(const Letter& offer, std::deque<Meeting>& met);
    void withdraw(const End& end, std::deque<Meeting>& met);

    bool is_empty() const { return receives_.empty() && sends_.empty(); }

  private:
    void pair_up(std::deque<Meeting>& met);

    std::map<std::uint64_t, End*> receives_;               // by turn
    std::map<std::uint64_t, std::optional<Letter>> sends_; // by turn; none: announced
    std::size_t started_ = 0;                              // receives
    std::size_t offered_ = 0;                              // sends
};

} // namespace mpix::partition
