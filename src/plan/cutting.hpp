// SPDX-License-Identifier: BSD-3-Clause
//
// How messages between nodes are cut. A host asks the receiver of a long message whether it is
// ready, and on many networks that takes longer than to post the message in parts that are short
// enough to go without. What combines or passes on the first part need not wait for the rest.
#pragma once

#include "plan/problem.hpp"

#include <algorithm>

namespace mpix::plan {

struct Cutting {
    Bytes part = 0; // of so many bytes, the last of what is left; 0: none is cut
    Bytes most = 0; // longer messages go whole

    // The parts that a message of so many bytes goes in, between elements of `grain`.
    Bytes part_of(Bytes bytes, Bytes grain) const {
        const Bytes whole_elements = part / grain * grain;
        return bytes > part && bytes <= most && whole_elements > 0 ? whole_elements : bytes;
    }
    friend bool operator==(const Cutting&, const Cutting&) = default;
};

// visit(begin, bytes) for each part.
template<class Visit>
void each_part(const Cutting& cutting, Bytes bytes, Bytes grain, Visit visit) {
    const Bytes part = cutting.part_of(bytes, grain);
    for (Bytes begin = 0; begin < bytes; begin += part) visit(begin, std::min(part, bytes - begin));
}

} // namespace mpix::plan
