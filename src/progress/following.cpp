// SPDX-License-Identifier: BSD-3-Clause
//
// Requests that something else completes: for one partition, for a channel's end. Under the
// engine's guard.
#include "progress/operation.hpp"

#include <algorithm>

namespace mpix::progress {

void Operation::follow(Operation& leader, std::size_t partition) {
    Partitions& partitions = *leader.partitions();
    partitions.followers.push_back({partition, this});
    leader_ = &leader;
    completed_by_ = CompletedBy::leader;
    is_plain_ = false;
    if (leader.state() == State::inactive) return;
    const bool is_there = leader.state() == State::complete || partitions.recv.has(partition);
    set(is_there ? State::complete : State::active);
}

void Operation::start_followers() {
    for (const Partitions::Follower& follower : partitions()->followers)
        follower.request->set(State::active);
}

void Operation::complete_followers(std::size_t partition) {
    for (const Partitions::Follower& follower : partitions()->followers)
        if (follower.partition == partition) follower.request->set(State::complete);
}

// Whoever goes first.
void Operation::part_with_followers() {
    if (leader_)
        std::erase_if(leader_->partitions()->followers,
                      [this](const auto& follower) { return follower.request == this; });
    if (partitions())
        for (const Partitions::Follower& follower : partitions()->followers)
            follower.request->leader_ = nullptr;
}

void Operation::promise() {
    completed_by_ = CompletedBy::promise;
    error_ = standing_error_;
    set_quick(Quick::no);
    set(State::active);
}

void Operation::fulfil(int code, const std::optional<Envelope>& envelope) {
    about_.envelope = envelope;
    note(code);
    set(State::complete);
}

} // namespace mpix::progress
