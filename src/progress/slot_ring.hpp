// SPDX-License-Identifier: BSD-3-Clause
//
// The rounds of a channel: its plan has a chain of steps for each of those that may run at once.
// Chains begin in turn, and the oldest round is waited for first. Within a node all messages take
// one queue, in their order: one whose turn has not come waits until the queue is free.
#pragma once

#include "plan/plan.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>

namespace mpix::progress {

class SlotRing {
  public:
    SlotRing() = default;
    explicit SlotRing(const plan::Plan& plan)
        : chain_(static_cast<std::uint32_t>(plan.steps.size()) /
                 static_cast<std::uint32_t>(plan.slots)),
          slots_(static_cast<std::uint32_t>(plan.slots)),
          remaining_(std::make_unique<std::uint32_t[]>(slots_)) {
        while (first_message_ < chain_ && plan.steps[first_message_].peer < 0) ++first_message_;
        while (first_message_ + messages_ < chain_ &&
               plan.steps[first_message_ + messages_].peer >= 0)
            ++messages_;
    }

    explicit operator bool() const { return chain_ > 0; }
    std::size_t slots() const { return slots_; }
    std::size_t chain() const { return chain_; }
    bool is_idle() const { return running_ == 0; }
    bool is_full() const { return running_ == slots(); }
    bool is_oldest_done() const { return remaining_[oldest_] == 0; }

    // The slot of a new round.
    std::size_t begin() {
        const std::size_t slot = newest_;
        pass();
        remaining_[slot] = chain_;
        return slot;
    }
    void done(plan::StepId id) { --remaining_[static_cast<std::size_t>(id) / chain_]; }
    void end() {
        oldest_ = next(oldest_);
        --running_;
    }

    // The same of a round none of whose steps is to be done, at least for now.
    void pass() {
        newest_ = next(newest_);
        ++running_;
        ++begun_;
    }
    // True once for each round that is done, after those before it: steps of several may be done in
    // any order.
    bool tell_next() {
        const std::uint64_t ended = begun_ - running_;
        told_ = std::max(told_, ended);
        if (told_ == begun_ || remaining_[(oldest_ + (told_ - ended)) % slots_] != 0) return false;
        ++told_;
        return true;
    }
    // The round that begins next is told at once.
    void tell_when_begun() { told_ = begun_ + 1; }
    void resume(std::size_t slot) { remaining_[slot] = chain_; }
    std::size_t newest() const { return newest_; }
    std::size_t oldest() const { return oldest_; }
    std::size_t after(std::size_t slot) const { return next(static_cast<std::uint32_t>(slot)); }
    std::size_t running() const { return running_; }
    std::uint64_t begun() const { return begun_; } // rounds ever
    bool is_queue_free() const { return !is_queue_taken_; }

    // False if the step has to wait for the queue: free_queue() will name it.
    bool takes_queue(plan::StepId id) {
        if (!is_queue_taken_) return is_queue_taken_ = true;
        if (waiting_++ == 0) next_ = id;
        return false;
    }
    // The step that has the queue next, if one waits for it: -1.
    plan::StepId free_queue() {
        is_queue_taken_ = false;
        if (waiting_ == 0) return -1;
        --waiting_;
        const plan::StepId next = next_;
        next_ = next_message(next);
        return next;
    }

  private:
    std::uint32_t next(std::uint32_t slot) const { return slot + 1 == slots_ ? 0 : slot + 1; }
    plan::StepId next_message(plan::StepId id) const {
        const std::size_t at = static_cast<std::size_t>(id), slot = at / chain_;
        if (at % chain_ + 1 < first_message_ + messages_) return id + 1;
        return static_cast<plan::StepId>(after(slot) * chain_ + first_message_);
    }

    std::uint32_t chain_ = 0; // steps
    std::uint32_t slots_ = 0;
    std::uint32_t oldest_ = 0, newest_ = 0, running_ = 0;
    bool is_queue_taken_ = false;
    std::uint64_t begun_ = 0, told_ = 0; // rounds ever, and the first of them that are told done
    std::unique_ptr<std::uint32_t[]> remaining_; // steps of each round, 0 where there is none
    std::uint32_t first_message_ = 0, messages_ = 0;
    std::uint32_t waiting_ = 0;
    plan::StepId next_ = 0;
};

} // namespace mpix::progress
