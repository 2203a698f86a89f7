// SPDX-License-Identifier: BSD-3-Clause
//
// What the two ends of a channel tell each other while they are bound. The sender requests, because
// it knows its receiver, and not the other way round where there are wildcards; the receiver
// accepts or refuses; the sender offers the place of the messages.
#pragma once

#include "comm/process_address.hpp"

#include <cstdint>

namespace mpix::channel {

struct Handshake {
    static constexpr int message_kind = 1;
    enum Kind : std::int32_t { request, accept, refusal, offer, failure };

    Kind kind = request;
    std::int32_t tag = 0;           // of the program
    std::uint64_t communicator = 0; // its number
    std::int32_t source = 0;        // of a request: the rank that the receiver knows the sender by
    std::int32_t slack = 1;         // of the end that writes
    std::int64_t bytes = 0;         // of a block of the end that writes
    std::int64_t element = 1;       // of an element in it
    bool splits = false;            // blocks may be split and merged
    bool is_ready = false;          // its sends begin when they are received already
    std::uint64_t sender = 0;       // the numbers that the ends gave themselves
    std::uint64_t receiver = 0;
    comm::ProcessAddress address;
    std::uint64_t block =
        comm::ProcessAddress::nowhere; // of an offer: in its segment; nowhere: over the host
    std::int32_t first_tag = 0;        // of an offer: over the host
};

} // namespace mpix::channel
