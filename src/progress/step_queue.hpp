// SPDX-License-Identifier: BSD-3-Clause
//
// The steps of a round: how many others each waits for, and which are ready. What is ready stands
// in the order in which it became so. Nothing is allocated in a round.
#pragma once

#include "plan/plan.hpp"

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

namespace mpix::progress {

class StepQueue {
  public:
    // Takes the memory. Rounds of a channel follow each other in it.
    void take(const plan::Plan& plan);
    void reorder(const plan::Plan& plan);
    // This step is never released here: somebody else executes it.
    void leave_out(plan::StepId id) {
        initial_needs_[static_cast<std::size_t>(id)] = 0;
        --steps_;
    }

    // From now on a round is of these.
    void limit(const plan::StepRange& range) {
        range_ = range;
        steps_ = static_cast<std::size_t>(range.end - range.begin);
    }

    void begin() {
        std::copy(initial_needs_.begin() + range_.begin, initial_needs_.begin() + range_.end,
                  needs_.begin() + range_.begin);
        head_ = tail_ = 0;
        remaining_ = steps_;
    }
    // A round of a channel: so many steps from the first on.
    void begin_chain(std::size_t first, std::size_t steps) {
        std::copy_n(initial_needs_.data() + first, steps, needs_.data() + first);
        if (head_ == tail_) head_ = tail_ = 0;
    }

    // A round of which only so many steps are left, that have all begun.
    void begin_last(std::size_t steps) {
        head_ = tail_ = 0;
        remaining_ = steps;
    }

    bool has_ready() const { return head_ < tail_; }
    plan::StepId next_ready() { return ready_[head_++]; }
    void release(std::span<const plan::StepId> steps) {
        for (const plan::StepId next : steps)
            if (--needs_[static_cast<std::size_t>(next)] == 0) make_ready(next);
    }
    void make_ready(plan::StepId id) {
        if (tail_ == ready_.size()) [[unlikely]] // only of rounds that follow each other
            forget_done();
        ready_[tail_++] = id;
    }
    bool is_released(plan::StepId id) const { return needs_[static_cast<std::size_t>(id)] == 0; }

    // Of a round that is begun as a whole: one more step is done. True if it was the last.
    bool end_step() { return --remaining_ == 0; }
    bool is_done() const { return remaining_ == 0; }

  private:
    void forget_done();

    std::vector<std::int32_t> initial_needs_;
    std::vector<std::int32_t> needs_;
    std::vector<plan::StepId> ready_; // each step is there at most once at a time
    std::size_t head_ = 0;
    std::size_t tail_ = 0;
    plan::StepRange range_;
    std::size_t steps_ = 0; // of a round that the runner executes
    std::size_t remaining_ = 0;
};

} // namespace mpix::progress
