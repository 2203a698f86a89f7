// SPDX-License-Identifier: BSD-3-Clause
//
// The counter is compared with the clock when a trace begins and when it ends.
#include "progress/ticks.hpp"

#include <cstdio>
#include <cstring>
#include <ctime>
#include <limits>
#include <memory>

namespace mpix::progress {
namespace {

constexpr int attempts = 10;

bool goes_kernel_by_counter() {
#if defined(__x86_64__)
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(
        std::fopen("/sys/devices/system/clocksource/clocksource0/current_clocksource", "r"),
        std::fclose);
    char name[8] = "";
    return file && std::fgets(name, sizeof name, file.get()) && std::strcmp(name, "tsc\n") == 0;
#else
    return false;
#endif
}

} // namespace

constinit Ticks ticks;

std::int64_t clock_now() {
    timespec now{};
    clock_gettime(CLOCK_MONOTONIC, &now);
    return std::int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}

void Ticks::begin() {
    is_counter_ = goes_kernel_by_counter();
    begun_ = moment();
}

// The time was asked for between two looks at the counter: the closest of them tell best when.
Ticks::Scale Ticks::moment() const {
    Scale best;
    std::int64_t least = std::numeric_limits<std::int64_t>::max();
    for (int i = 0; i < attempts; ++i) {
        const std::int64_t before = now();
        const std::int64_t time = clock_now();
        const std::int64_t passed = now() - before;
        if (passed >= least) continue;
        least = passed;
        best = {before + passed / 2, time};
    }
    return best;
}

Ticks::Scale Ticks::scale() const {
    Scale scale = begun_;
    const Scale end = moment();
    if (is_counter_ && end.ticks > scale.ticks)
        scale.tick_ns = static_cast<double>(end.time - scale.time) /
                        static_cast<double>(end.ticks - scale.ticks);
    return scale;
}

} // namespace mpix::progress
