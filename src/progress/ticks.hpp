// SPDX-License-Identifier: BSD-3-Clause
//
// What events of a trace are timed with: the processor's counter, if the kernel goes by it itself
// and so takes it for even and the same on all cores. It takes a third of what asking the kernel's
// clock takes; elsewhere that is asked.
#pragma once

#include <cstdint>
#if defined(__x86_64__)
#include <x86intrin.h>
#endif

namespace mpix::progress {

// Nanoseconds of the clock that all processes of a node have in common.
std::int64_t clock_now();

class Ticks {
  public:
    // Before there are others.
    void begin();

    std::int64_t now() const {
#if defined(__x86_64__)
        if (is_counter_) [[likely]]
            return static_cast<std::int64_t>(__rdtsc());
#endif
        return clock_now();
    }
    // Not before what has been read so far: the processor may look at its counter while it still
    // waits for the memory, 0.3 us ahead, and a message would come before it is sent. It takes
    // twice as long.
    std::int64_t now_behind_loads() const {
#if defined(__x86_64__)
        if (is_counter_) [[likely]]
            _mm_lfence();
#endif
        return now();
    }

    // When it was so many ticks, and how long one takes.
    struct Scale {
        std::int64_t ticks = 0, time = 0; // nanoseconds of clock_now()
        double tick_ns = 1;
    };
    // Of all that was between the begin and now.
    Scale scale() const;

  private:
    Scale moment() const;

    bool is_counter_ = false;
    Scale begun_;
};

extern constinit Ticks ticks;

} // namespace mpix::progress
