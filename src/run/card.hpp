// SPDX-License-Identifier: BSD-3-Clause
//
// Where a process is: what another one has to know to share memory with it, in letters.
#pragma once

#include "node/segment.hpp"
#include "run/channels.hpp"

#include <cstdint>

namespace mpix::run {

struct Card {
    static constexpr std::uint64_t nowhere = Channels::no_block;

    std::int64_t part = -1; // of its node; -1: its messages go over the host
    node::Ticket ticket;
    std::uint64_t bell = nowhere; // in its segment

    static Card own(bool over_host);
};

// The way to the process with that card; false if memory is not shared with it.
bool find_link(const Card& theirs, std::int64_t own_part, Channels::Link& link);

// A block that was offered and that nobody will receive from: its owner's memory is done with.
void abandon(const Card& owner, std::uint64_t block);

} // namespace mpix::run
