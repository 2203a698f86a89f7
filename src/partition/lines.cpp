// SPDX-License-Identifier: BSD-3-Clause
//
// Each of these takes a time that does not grow with the line, if ends are started in the order in
// which they were made.
#include "partition/lines.hpp"

namespace mpix::partition {
namespace {

// It may be there already.
void push(Queue& queue, PairEnd& end) { queue.splice(queue.end(), end.place); }

} // namespace

// Turns grow: it is the last.
void SendLine::add(PairEnd& end, Queue& ready) {
    const auto added = sends_.emplace_hint(sends_.end(), end.turn, &end);
    if (reach_ == sends_.end()) reach_ = added;
    reach(ready);
}

void SendLine::start(PairEnd& end, Queue& ready) const {
    if (has_reached(end)) push(ready, end);
}

void SendLine::withdraw(const PairEnd& end, Queue& ready) {
    if (const auto found = sends_.find(end.turn); found != sends_.end()) erase(found);
    reach(ready);
}

void SendLine::erase(Sends::iterator send) {
    if (send == reach_)
        ++reach_;
    else if (reach_ == sends_.end() || send->first < reach_->first)
        --reached_;
    sends_.erase(send);
}

// As many sends as there are requests; and those at the front that have begun need no place.
void SendLine::reach(Queue& ready) {
    while (!sends_.empty() && !sends_.begin()->second) {
        erase(sends_.begin());
        if (requests_.empty())
            ++owed_;
        else
            requests_.erase(requests_.begin());
    }
    for (; reached_ > requests_.size(); --reached_) --reach_;
    for (; reached_ < requests_.size() && reach_ != sends_.end(); ++reached_, ++reach_)
        if (reach_->second && reach_->second->is_started) push(ready, *reach_->second);
}

void SendLine::take_request(const Handshake& request, Queue& ready) {
    if (owed_ > 0)
        --owed_;
    else
        requests_.emplace(request.turn, request.address);
    card_ = request.address;
    reach(ready);
}

void SendLine::withdraw_request(std::uint64_t turn) {
    if (requests_.erase(turn) == 0) { // a send has begun on it, and takes another one's
        if (requests_.empty())
            ++owed_;
        else
            requests_.erase(requests_.begin());
    }
    for (; reached_ > requests_.size(); --reached_) --reach_;
}

comm::ProcessAddress SendLine::next_card() {
    const auto next = requests_.upper_bound(asked_);
    if (next == requests_.end()) return card_;
    asked_ = next->first;
    return next->second;
}

void SendLine::begin(const PairEnd& end, Queue& ready) {
    sends_.at(end.turn) = nullptr;
    reach(ready);
}

void ReceiveLine::start(Queue& met) {
    ++started_;
    pair_up(met);
}

void ReceiveLine::withdraw_send(std::uint64_t turn, Queue& met) {
    sends_.erase(turn);
    pair_up(met);
}

void ReceiveLine::take_offer(const Handshake& offer, Queue& met) {
    sends_.insert_or_assign(offer.turn, offer);
    ++offered_;
    pair_up(met);
}

void ReceiveLine::withdraw(const PairEnd& end, Queue& met) {
    if (receives_.erase(end.turn) == 0) return;
    if (end.is_started) --started_;
    pair_up(met);
}

// Who meets is in the same place on both sides, so those behind stay in the same places.
void ReceiveLine::pair_up(Queue& met) {
    auto receive = receives_.begin();
    auto send = sends_.begin();
    while (started_ > 0 && offered_ > 0 && receive != receives_.end() && send != sends_.end()) {
        if (!receive->second->is_started || !send->second) {
            ++receive, ++send;
            continue;
        }
        receive->second->has_met = true;
        receive->second->partner = *send->second;
        push(met, *receive->second);
        receive = receives_.erase(receive);
        send = sends_.erase(send);
        --started_, --offered_;
    }
}

} // namespace mpix::partition
