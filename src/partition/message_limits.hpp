// SPDX-License-Identifier: BSD-3-Clause
//
// What the ranks of a partitioned collective agree on, and how segments are cut into messages by
// it: the same on both ends.
#pragma once

#include "comm/agreement.hpp"
#include "partition/segments.hpp"

namespace mpix::partition {

// The least that is worth a message of its own, and the most of a segment, on every rank.
struct MessageLimits {
    plan::Bytes min_message = 0;
    std::int64_t max_messages = 0;

    static MessageLimits of(const collective::PartitionHints& hints);
    // Of a segment of so many bytes in so many partitions.
    std::vector<plan::Bytes> cut(plan::Bytes bytes, std::int64_t partitions) const;
};

// Makes this rank's facts those of all, and begins a plan. Collective. Throws Failure.
comm::Facts agree_on_messages(Context& context, const Arguments& arguments, const Binding& binding,
                              const Segments& segments);

// Cuts the segments into messages. Collective among the ranks that have messages for each other,
// unless the assertions say how many partitions the others have.
void cut_into_messages(const Context& context, const Arguments& arguments, const comm::Facts& facts,
                       Segments& segments);

// A reduction's pieces.
std::vector<plan::Problem> cut_into_pieces(const Context& context, const comm::Facts& facts,
                                           const plan::Shape& shape, const Segments& segments);

} // namespace mpix::partition
