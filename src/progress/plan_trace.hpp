// SPDX-License-Identifier: BSD-3-Clause
//
// What is recorded of one operation. A step is recorded when it is done, with when it could begin:
// when the last thing that it waited for was done, or the engine with another step before it.
#pragma once

#include "progress/tags.hpp"
#include "progress/trace.hpp"

#include <span>

namespace mpix::progress {

class PlanTrace {
  public:
    // Throws bad_alloc. Without room for it nothing is recorded.
    explicit PlanTrace(const char* operation);
    // Once there is a plan, perhaps in a round. Throws bad_alloc.
    void bind(const plan::Plan& plan, const Tags& tags, unsigned turn);

    // ---- under the engine's guard; `turn` is one of the engine's ----

    // A round begins, with these steps.
    void start(std::size_t first, std::size_t steps, unsigned turn);
    void complete() { record(Trace::Kind::complete, 0, ticks.now()); }
    void ready(std::span<const plan::StepId> steps, unsigned turn);
    // And what may begin after it. One that takes no time is done when the one before it is.
    void done(plan::StepId id, std::span<const plan::StepId> next, unsigned turn, bool takes_time);

    // ---- any thread ----

    std::int32_t plan() const { return index_; }                  // -1: it is not traced
    std::int64_t mark(std::size_t first, std::size_t last) const; // when that is
    std::int64_t sent(plan::StepId id, std::int64_t begin) const; // when it is

  private:
    // When a step could begin. What is done in the same turn was not waited for.
    struct Ready {
        std::int64_t time = 0;
        unsigned turn = 0;
    };
    void record(Trace::Kind kind, std::int32_t number, std::int64_t time) const {
        if (index_ >= 0) trace().record(kind, index_, number, time, time);
    }
    void set_ready(plan::StepId id, const Ready& when) {
        if (!ready_.empty()) ready_[static_cast<std::size_t>(id)] = when;
    }

    const char* const operation_;
    const std::int32_t index_;
    std::vector<Ready> ready_; // by step, if these are recorded
};

} // namespace mpix::progress
