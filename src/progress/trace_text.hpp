// SPDX-License-Identifier: BSD-3-Clause
//
// A trace in the trace event format: an object of JSON for each event, with commas between. A
// process is a rank, a thread a lane. https://github.com/catapult-project/catapult, "Trace Event
// Format".
#pragma once

#include "progress/trace.hpp"

#include <cstdint>
#include <functional>
#include <string>

namespace mpix::progress {

// From this process's clock to that of all.
struct TraceClock {
    std::int64_t own = 0, common = 0; // the same moment
    double pace = 1;                  // of the common one, seen from this
    std::int64_t origin = 0;          // from which on it counts

    std::int64_t at(std::int64_t time) const {
        return common + static_cast<std::int64_t>(static_cast<double>(time - own) * pace) - origin;
    }
};

// Calls take(piece) with pieces of at most so many bytes, which begin and end with an event. Throws
// bad_alloc.
inline constexpr std::size_t trace_piece = 256 * 1024;
void write_trace_text(const Trace& trace, int rank, const TraceClock& clock,
                      const std::function<void(const std::string&)>& take);

} // namespace mpix::progress
