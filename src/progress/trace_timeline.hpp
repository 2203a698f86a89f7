// SPDX-License-Identifier: BSD-3-Clause
//
// The events of a trace as spans of time on lanes, so that those of a lane are apart or one within
// the other, as viewers want it.
#pragma once

#include "progress/trace.hpp"

#include <cstdint>
#include <vector>

namespace mpix::progress {

struct TraceSpan {
    enum class Kind : std::uint8_t { wait, round, step, mark };

    std::int64_t begin = 0, end = 0;
    Kind kind = Kind::wait;
    bool is_open = false;    // a round that has not been completed
    std::int32_t plan = -1;  // of a wait: of the round that completed last in it
    std::int32_t number = 0; // of the round, of the step, of the partition
    std::int32_t times = 0;  // the step has been done before
    std::int32_t lane = 0;
};

// Waits have lanes of their own, from 0 on; all else has those from here on.
inline constexpr std::int32_t first_plan_lane = 100;

// In the order in which they begin. Throws bad_alloc.
std::vector<TraceSpan> timeline(const Trace& trace, const std::vector<TracedPlan>& plans);

} // namespace mpix::progress
