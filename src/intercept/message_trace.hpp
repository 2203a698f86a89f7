// SPDX-License-Identifier: BSD-3-Clause
//
// A persistent message of the host's in a trace: a span from its start to when the program is told
// that it is complete.
#pragma once

#include "host/symbols.hpp"
#include "progress/trace.hpp"

#include <cstdint>

namespace mpix::intercept {

struct Envelope;

class MessageTrace {
  public:
    // Made with the request. Throws bad_alloc.
    explicit MessageTrace(const Envelope& envelope);

    void start() { put(progress::Trace::Kind::start); }
    void complete() { put(progress::Trace::Kind::complete); }

  private:
    void put(progress::Trace::Kind kind) {
        if (index_ < 0) [[likely]]
            return;
        const std::int64_t now = progress::ticks.now();
        progress::trace().put(progress::trace().reserve(1), kind, index_, 0, now, now);
    }

    std::int32_t index_ = -1; // of what the trace knows of it; none where nothing is traced
};

} // namespace mpix::intercept
