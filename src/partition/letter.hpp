// SPDX-License-Identifier: BSD-3-Clause
//
// What the two ends of a partitioned send and receive tell each other, once: the receiver asks, the
// sender answers. A letter is small enough that no host makes its sender wait.
#pragma once

#include "run/card.hpp"

#include <cstdint>

namespace mpix::partition {

struct Letter {
    enum Kind : std::int32_t { request, offer, failure };
    static constexpr int mail = 0;

    Kind kind = request;
    std::int32_t tag = 0;           // of the program
    std::uint64_t communicator = 0; // its number
    std::uint64_t turn = 0;         // of this pair among those with the same envelope
    std::uint64_t receiver = 0;     // the number that it gave itself
    std::int64_t bytes = 0;         // of the end that writes
    std::int64_t partitions = 0;
    std::int64_t min_message = 0, max_messages = 0;
    run::Card card;
    std::uint64_t block = run::Card::nowhere; // of an offer: in its segment; nowhere: over the host
    std::int32_t first_tag = 0;               // of an offer: over the host
};

} // namespace mpix::partition
