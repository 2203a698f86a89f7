// SPDX-License-Identifier: BSD-3-Clause
//
// The agreement of an init: one small nonblocking allreduce among all its ranks. It finds out
// whether they called the same thing, and gives them the facts that a common choice depends on.
#pragma once

#include "comm/context.hpp"
#include "comm/size_check.hpp"

#include <cstdint>

namespace mpix::comm {

// A fact that a rank does not know, or that does not exist for the operation.
inline constexpr std::int64_t unsaid = INT64_MIN;
static_assert(unsaid == no_requested_solver);

struct Facts {
    // Must be equal on every rank that says it. The others learn it.
    std::int64_t collective = 0;
    std::int64_t root = unsaid;
    std::int64_t op = unsaid;               // number_of() it
    std::int64_t in_place = unsaid;         // where the standard wants it on all ranks or on none
    std::int64_t element = unsaid;          // bytes in an element of a reduction
    std::int64_t bytes = unsaid;            // of the whole operation where every rank knows them
    std::int64_t requested_solver = unsaid; // for a solver
    // Of partitioned operations:
    std::int64_t assertions = unsaid;
    std::int64_t root_partitions = unsaid; // or of all that are sent, if it asserts that
    std::int64_t partitions = unsaid;      // of the others, or of all that are received
    // The largest on any rank is taken.
    std::int64_t total = 0;
    std::int64_t largest = 0;
    std::int64_t over_host = 0; // 1: its messages may not take the node's memory
    std::int64_t on_device = 0; // 1: a buffer is in the memory of a device
    std::int64_t widest = 0;    // count or displacement that delegation would hand to the host
    std::int64_t tags = 0;      // messages between two ranks that must not share a tag
    std::int64_t min_message = 0;
    std::int64_t few_messages = 0; // the least number is taken: it is negated
    std::int64_t edges = 0;        // of a rank, one way, where other ranks do not know them
    std::int64_t order_shows = 0;  // 1: the result of the reduction tells how it was combined
    std::int64_t results = 0;      // a fingerprint of what races have shown
    std::int64_t less_results = 0; // the same, negated
    std::int64_t delegated = 0;    // operations that the host does or may do
    std::int64_t failed = 0;       // 1: a rank cannot make its plan

    bool has_same_results() const { return results == -less_results; }
};

// Makes the facts those of all ranks, and begins a plan whose number is theirs. Throws where ranks
// disagree, or where a block is not expected as it is sent: the same error on each of them.
// Collective.
void agree(Context& context, Facts& facts, const SizeCheck& size_check);

// Takes part instead of a rank's agree() that will not come: the others fail too, and do not wait.
// Collective with those.
void agree_to_fail(Context& context) noexcept;

// Gives back to the host what agreements share. Another one makes it anew.
void end_agreements();

} // namespace mpix::comm
