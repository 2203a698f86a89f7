// SPDX-License-Identifier: BSD-3-Clause
//
// Which way a message takes within the node, and what place it needs for that.
#pragma once

#include "plan/plan.hpp"
#include "shmem/benchmark.hpp"

namespace mpix::progress {

// What a plan of this rank is like, as far as the ways of its messages depend on it.
struct Traits {
    // Of one of its ways.
    explicit Traits(const plan::Plan& plan, std::size_t way = 0);

    bool combines = false;
    bool is_marked = false; // the program marks partitions, and works between its marks
    bool is_synchronous = false;
    std::uint64_t at_once = 0; // messages that a channel may have on its queue before any is taken
    double copies = 1;         // of a staged message that a rank makes in turn
    double bytes_alone = 0;    // that a rank sends and copies which receives nothing: its receivers
                               // work side by side
    bool is_pipeline = false;  // the peer gets several messages, so that it passes one on meanwhile
};

// `can_read`: the kernel lets the receiver read this process. `is_answered`: the receiver sends to
// this rank in the same plan. So many processes of the node share its memory.
shmem::Design design_of(std::uint64_t bytes, const std::byte* source, bool is_answered,
                        const Traits& traits, bool can_read, const shmem::Costs& costs,
                        int sharers);

} // namespace mpix::progress
