// SPDX-License-Identifier: BSD-3-Clause
//
// Counting.
#include "progress/meter.hpp"

namespace mpix::progress {

void Meter::attach(Counters& kind, std::int64_t bytes) {
    bytes_ = bytes;
    add(kind.starts, early_.starts);
    add(kind.bytes, early_.starts * bytes);
    add(kind.completions, early_.completions);
    add(kind.nanoseconds, early_.nanoseconds);
    counters_ = &kind;
}

void Meter::start() {
    add(counters_->starts, 1);
    add(counters_->bytes, bytes_);
    if (period_ != counting_period()) running_ = 0;
    period_ = counting_period();
    ++running_;
    started_ = std::chrono::steady_clock::now();
}

void Meter::complete() {
    if (period_ != counting_period() || running_ == 0) return;
    --running_;
    const auto passed = std::chrono::steady_clock::now() - started_;
    add(counters_->completions, 1);
    add(counters_->nanoseconds, std::chrono::nanoseconds(passed).count());
}

} // namespace mpix::progress
