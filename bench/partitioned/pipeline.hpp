// SPDX-License-Identifier: BSD-3-Clause
//
// A program that makes items one after another and hands each over when it is made, and how long
// that takes from the beginning, and from when the last item is made on the last rank. The clock is
// the node's.
#pragma once

#include "bench/common/interleave.hpp"

#include <functional>

namespace mpix::bench {

struct Pipeline {
    int items = 0;                             // of this rank
    std::function<void(int serial)> prepare{}; // not timed
    std::function<int()> start{};
    std::function<void(int item, int serial)> make{};
    std::function<int(int item)> hand_over{};
    std::function<int()> finish{};
    std::function<bool(int serial)> right{};
};

// Operations in which the ranks begin together. `serial` is that of the last one before.
Batch run(const Pipeline& pipeline, int iterations, int& serial, const Ranks& ranks);

// Arithmetic that takes so many nanoseconds of a core that has nothing else to do.
void burn(double nanoseconds);
// Measures how fast that is. Of a call that has not been, or on other cores, it is guessed.
void calibrate_burning();

// What making one item takes is its writing and arithmetic, so long together.
class Work {
  public:
    // `write` writes an item, and is tried out.
    Work(double nanoseconds, const std::function<void()>& write);
    void operator()(double times) const { burn(times * whole_ - writing_); }
    double nanoseconds() const { return whole_; }

  private:
    double whole_;
    double writing_;
};

} // namespace mpix::bench
