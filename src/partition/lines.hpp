// SPDX-License-Identifier: BSD-3-Clause
//
// One side of an envelope: who is there, and who may go on. What follows from that is the
// matching's to do. Under the engine's guard. What throws bad_alloc has changed nothing; only what
// takes in something new does.
#pragma once

#include "partition/end.hpp"

#include <algorithm>
#include <list>
#include <map>
#include <optional>

namespace mpix::partition {

// Ends, by the places that they bring with them.
using Queue = std::list<PairEnd*>;

// Own sends, and the requests of the other side.
class SendLine {
  public:
    SendLine() = default;
    SendLine(const SendLine&) = delete;
    SendLine& operator=(const SendLine&) = delete;

    // Sends that have been started and may begin go into `ready`.
    void add(PairEnd& end, Queue& ready);
    void start(PairEnd& end, Queue& ready) const;
    void withdraw(const PairEnd& end, Queue& ready);
    void take_request(const Handshake& request, Queue& ready);
    void withdraw_request(std::uint64_t turn);

    bool has_announced(const PairEnd& end) const { return end.turn <= announced_; }
    // Calls `announce` with those that have to be announced before this one is offered.
    template<class Announce>
    void announce_before(const PairEnd& end, Announce announce) {
        if (has_announced(end)) return;
        for (auto send = sends_.upper_bound(announced_); send->first < end.turn; ++send)
            if (send->second) announce(*send->second);
        announced_ = end.turn;
    }
    // What the receiver is that this one may be for.
    comm::ProcessAddress next_card();
    // This one is not here any more, but has its place.
    void begin(const PairEnd& end, Queue& ready);

    bool is_empty() const { return sends_.empty() && requests_.empty() && owed_ == 0; }

  private:
    using Sends = std::map<std::uint64_t, PairEnd*>; // by turn; null: it has begun

    bool has_reached(const PairEnd& end) const {
        return reach_ == sends_.end() || end.turn < reach_->first;
    }
    void erase(Sends::iterator send);
    void reach(Queue& ready);

    Sends sends_;
    Sends::iterator reach_ = sends_.end(); // the first without a request
    std::size_t reached_ = 0;              // those in front of it
    std::map<std::uint64_t, comm::ProcessAddress> requests_;
    std::size_t owed_ = 0; // sends that began on a request that was taken back
    std::uint64_t announced_ = 0;
    std::uint64_t asked_ = 0; // the request whose address was used last
    comm::ProcessAddress card_;
};

// Own receives, and the sends of the other side.
class ReceiveLine {
  public:
    void add(PairEnd& end) { receives_.emplace(end.turn, &end); }
    void announce(std::uint64_t turn) { sends_.try_emplace(turn); }
    // Who has met is not here any more, and knows whom.
    void withdraw_send(std::uint64_t turn, Queue& met);
    void start(Queue& met);
    void take_offer(const Handshake& offer, Queue& met);
    void withdraw(const PairEnd& end, Queue& met);

    bool is_empty() const { return receives_.empty() && sends_.empty(); }

  private:
    void pair_up(Queue& met);

    std::map<std::uint64_t, PairEnd*> receives_;              // by turn
    std::map<std::uint64_t, std::optional<Handshake>> sends_; // by turn; none: announced
    std::size_t started_ = 0;                                 // receives
    std::size_t offered_ = 0;                                 // sends
};

} // namespace mpix::partition
