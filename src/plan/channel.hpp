// SPDX-License-Identifier: BSD-3-Clause
//
// One end of a channel: the same transfer between the same two ranks, again and again, up to so
// many times at once. Each of those has a chain of steps, behind a gate of its own, and the chains
// are begun in turn. All messages have one tag: they come in the order in which they are sent.
#pragma once

#include "plan/plan.hpp"

#include <vector>

namespace mpix::plan {

struct Channel {
    bool sends = false;
    int peer = 0;             // negative: there is none, and a round does nothing
    std::vector<Place> slots; // where the data of each transfer stand, all of one size
    Bytes message = 0;        // bytes of each: a whole number of them is a slot
    bool is_synchronous = false;
};

Plan build(const Channel& channel);

} // namespace mpix::plan
