// SPDX-License-Identifier: BSD-3-Clause
//
// What the two sides of partitioned sends and receives tell each other: matching.hpp says when. A
// message is small enough that no host makes its sender wait.
#pragma once

#include "comm/process_address.hpp"

#include <cstdint>

namespace mpix::partition {

struct Handshake {
    enum Kind : std::int32_t {
        request,           // from a receive
        request_withdrawn, //
        announcement,      // from a send
        send_withdrawn,    // of an announced one
        offer,             //
        failure            // in place of an offer
    };
    static constexpr int message_kind = 0;

    Kind kind = request;
    std::int32_t tag = 0;           // of the program
    std::uint64_t communicator = 0; // its number
    std::uint64_t turn = 0;         // of the end that it is about, in its process
    std::int64_t bytes = 0;         // of the end that writes
    std::int64_t partitions = 0;
    std::int64_t min_message = 0, max_messages = 0;
    comm::ProcessAddress address;
    std::uint64_t block =
        comm::ProcessAddress::nowhere; // of an offer: in its segment; nowhere: over the host
    std::int32_t first_tag = 0;        // of an offer: over the host
};

} // namespace mpix::partition
