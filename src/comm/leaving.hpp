// SPDX-License-Identifier: BSD-3-Clause
//
// Who leaves the shared memory of a node in which not all have each other's. It takes no memory, of
// which there may be none.
#pragma once

#include <span>

namespace mpix::comm {

// What a rank of the node cannot map.
struct Missing {
    int mates = 0;  // so many of the others; all of them, itself too, if it has no memory
    int first = -1; // the position of the first

    friend bool operator==(const Missing&, const Missing&) = default;
};

// Whether the one at that position leaves now: whoever lacks most of the node, else the one who is
// missing or missed most, of equals the last. At least one leaves if anything is missing, and who
// leaves is the same on every rank that is told the same.
bool leaves(std::span<const Missing> of_mates, int self);

} // namespace mpix::comm
