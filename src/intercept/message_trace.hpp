// SPDX-License-Identifier: BSD-3-Clause
//
// A persistent message of the host's in a trace: a span from its start to when the library finds it
// complete.
#pragma once

#include "host/symbols.hpp"
#include "progress/trace.hpp"

#include <cstdint>

namespace mpix::intercept {

class MessageTrace {
  public:
    MessageTrace() = default; // of what nobody traces
    // By its init, "MPI_Send_init". Any source, any tag and no peer are negative. Throws bad_alloc.
    MessageTrace(const char* init, bool receives, plan::Bytes bytes, int peer, int tag,
                 MPI_Comm comm);

    void start() { put(progress::Trace::Kind::start); }
    void complete() { put(progress::Trace::Kind::complete); }

  private:
    void put(progress::Trace::Kind kind) {
        if (index_ < 0) [[likely]]
            return is_traced_ ? progress::trace().drop() : void();
        const std::int64_t now = progress::ticks.now();
        progress::trace().put(progress::trace().reserve(1), kind, index_, 0, now, now);
    }

    std::int32_t index_ = -1; // of what the trace knows of it, where it had room for that
    bool is_traced_ = false;
};

} // namespace mpix::intercept
