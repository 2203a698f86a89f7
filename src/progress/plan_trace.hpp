// SPDX-License-Identifier: BSD-3-Clause
//
// What is recorded of one operation. A step is recorded when it is done, with when it could begin:
// when the last thing that it waited for was done, or the engine with another step before it. A
// round has its places in the trace from its start on, so that nothing is counted for each event.
#pragma once

#include "progress/tags.hpp"
#include "progress/trace.hpp"

#include <atomic>
#include <span>

namespace mpix::progress {

class PlanTrace {
  public:
    // Throws bad_alloc. Without room for it nothing is recorded.
    explicit PlanTrace(const char* operation);
    // Once there is a plan, perhaps in a round. Throws bad_alloc.
    void bind(const plan::Plan& plan, const Tags& tags, unsigned turn);

    // ---- under the engine's guard; `turn` is one of the engine's ----

    // The round that begins next has these steps, and so many partitions that are marked.
    void reserve(const plan::StepRange& steps, std::size_t partitions);
    // A round begins, with these steps.
    void start(std::size_t first, std::size_t steps, unsigned turn);
    // If only its steps complete it no time has passed since the last of them, in the same turn.
    void complete(unsigned turn, bool only_by_steps);
    void ready(std::span<const plan::StepId> steps, unsigned turn);
    // It is begun, or waits for its queue, and is not done yet.
    void begun(plan::StepId id, unsigned turn);
    // And what may begin after it. Partitions arrive when the step before is done.
    void done(plan::StepId id, std::span<const plan::StepId> next, unsigned turn,
              plan::Action action);

    // ---- any thread ----

    // When that is, of partitions that are not marked yet.
    template<class IsMarked>
    std::int64_t mark(std::size_t first, std::size_t last, IsMarked is_marked) const {
        const std::int64_t now = ticks.now();
        if (index_ < 0) return now;
        for (std::size_t partition = first; partition <= last; ++partition)
            if (!is_marked(partition)) put_mark(place_of_mark(partition), partition, now);
        return now;
    }
    std::int64_t sent(plan::StepId id, std::int64_t begin) const; // when it is

    // A mark that is put once it counts. Others may complete the round then, and free the
    // operation.
    class Mark {
      public:
        void put() const {
            if (plan_ >= 0) trace().put(place_, Trace::Kind::mark, plan_, partition_, time_, time_);
        }

      private:
        friend class PlanTrace;
        std::uint64_t place_ = 0;
        std::int32_t plan_ = -1; // none: it is not traced
        std::int32_t partition_ = 0;
        std::int64_t time_ = 0;
    };
    Mark prepare_mark(std::size_t partition) const {
        Mark mark;
        if (index_ < 0) return mark;
        mark.place_ = place_of_mark(partition);
        mark.plan_ = index_;
        mark.partition_ = static_cast<std::int32_t>(partition);
        mark.time_ = ticks.now();
        return mark;
    }

  private:
    // When a step could begin. What is done in the same turn was not waited for.
    struct Ready {
        std::int64_t time = 0;
        unsigned turn = 0;
        bool is_begun = false;
    };
    // In fragments it may have begun before all that it waits for is done.
    void set_ready(plan::StepId id, const Ready& when) {
        if (ready_.empty()) return;
        Ready& since = ready_[static_cast<std::size_t>(id)];
        if (!since.is_begun) since = when;
    }

    // Of a round: of its start, its completion, its steps, its marks. What has none there takes
    // one of its own.
    class Places {
      public:
        Places() = default;
        Places(std::uint64_t first, std::uint64_t steps) : packed_(first << step_bits | steps) {}
        static constexpr std::size_t most_steps = (std::size_t{1} << 24) - 1;

        bool is_none() const { return packed_ == none; }
        std::uint64_t start() const { return packed_ >> step_bits; }
        std::uint64_t completion() const { return start() + 1; }
        std::uint64_t steps() const { return packed_ & most_steps; }
        std::uint64_t step(std::uint64_t id) const { return start() + 2 + id; }
        std::uint64_t mark(std::uint64_t partition) const { return step(steps()) + partition; }

      private:
        static constexpr int step_bits = 24;
        static constexpr std::uint64_t none = ~std::uint64_t{0};
        std::uint64_t packed_ = none;
    };
    Places places() const { return places_.load(std::memory_order_relaxed); }
    std::uint64_t place_of_step(plan::StepId id) const {
        const Places own = places();
        const auto number = static_cast<std::uint64_t>(id - first_step_); // of others it is large
        return own.is_none() || number >= own.steps() ? trace().reserve(1) : own.step(number);
    }
    std::uint64_t place_of_mark(std::size_t partition) const {
        const Places own = places();
        return own.is_none() ? trace().reserve(1) : own.mark(partition);
    }
    void put_mark(std::uint64_t place, std::size_t partition, std::int64_t time) const {
        trace().put(place, Trace::Kind::mark, index_, static_cast<std::int32_t>(partition), time,
                    time);
    }
    void put(std::uint64_t place, Trace::Kind kind, std::int64_t time) const {
        trace().put(place, kind, index_, 0, time, time);
    }

    const char* const operation_;
    const std::int32_t index_;
    std::vector<Ready> ready_;    // by step, if these are recorded
    plan::StepId first_step_ = 0; // of those that have places; not 0 where no thread marks
    Ready latest_{0, ~0U};        // when its round began, or a step of it was done
    // Threads that mark look while a round begins: what they find is this round's, or none.
    std::atomic<Places> places_{Places{}};
    static_assert(std::atomic<Places>::is_always_lock_free);
};

} // namespace mpix::progress
