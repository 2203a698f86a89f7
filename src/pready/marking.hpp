// SPDX-License-Identifier: BSD-3-Clause
//
// Marking send partitions and asking for receive partitions, by linear number. Nothing here locks
// on the way to a message within the node, and nothing allocates.
#pragma once

#include "progress/operation.hpp"

namespace mpix::pready {

using progress::Operation;

// Marks partitions that exist, in a round, both included. Returns one that was marked before, or
// -1.
inline std::int64_t mark(Operation& operation, std::int64_t first, std::int64_t last) {
    return operation.partitions()
        ->send.mark(static_cast<std::size_t>(first), static_cast<std::size_t>(last))
        .twice;
}

// The same, and all that there is to do, for one that is marked rightly while its message waits for
// others. False if that is not so: then nothing is done.
inline bool mark_part(Operation& operation, std::int64_t partition) {
    return operation.state() == Operation::State::active &&
           operation.partitions()->send.mark_part(static_cast<std::size_t>(partition));
}
inline bool mark_traced_part(Operation& operation, std::int64_t partition) {
    progress::SendPartitions& partitions = operation.partitions()->send;
    return partitions.are_traced() && operation.state() == Operation::State::active &&
           partitions.mark_traced_part(static_cast<std::size_t>(partition));
}

// Lets the runner act on what was marked, if this thread may.
void act(Operation& operation);

// Of a partition that exists.
bool has_arrived(const Operation& operation, std::int64_t partition);

// Moves all plans, if this thread may. True if something of one completed.
bool progress();

} // namespace mpix::pready
