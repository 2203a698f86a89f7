// SPDX-License-Identifier: BSD-3-Clause
//
// Where a process is: what another one has to know to share memory with it, in control messages.
#pragma once

#include "progress/links.hpp"
#include "shmem/segment.hpp"

#include <cstdint>

namespace mpix::comm {

struct ProcessAddress {
    static constexpr std::uint64_t nowhere = progress::Links::no_block;

    std::int64_t part = -1; // of its node; -1: its messages go over the host
    shmem::Ticket ticket;
    std::uint64_t doorbell = nowhere; // in its segment

    static ProcessAddress own(bool over_host);
};

// The way to the process with that address; false if memory is not shared with it.
bool find_connection(const ProcessAddress& theirs, std::int64_t own_part,
                     progress::Links::Connection& connection);

// A block that was offered and that nobody will receive from: its owner's memory is done with.
void abandon(const ProcessAddress& owner, std::uint64_t block);

} // namespace mpix::comm
