// SPDX-License-Identifier: BSD-3-Clause
//
// Rounds that need no engine: of channels of short messages within the node, and those that are one
// wave.
#pragma once

#include "progress/operation.hpp"

namespace mpix::progress {

inline bool Operation::start_quickly() {
    if (quick_ == Quick::no || slot_ring_.is_full()) return false;
    Bound& bound = steps_.bound(static_cast<plan::StepId>(slot_ring_.newest()));
    if (quick_ == Quick::send) {
        if (!slot_ring_.is_queue_free() || !bound.out->has_room()) return false;
        if (slot_ring_.is_idle()) set(State::complete);
        note_pass();
        slot_ring_.pass();
        bound.out->put(bound.from);
        return true;
    }
    if (!slot_ring_.is_idle() && !is_idle_) return false;
    if (slot_ring_.is_idle()) set(State::active);
    is_idle_ = true;
    note_start();
    slot_ring_.pass();
    return true;
}

inline bool Operation::is_done_quickly() {
    if (quick_ == Quick::send) return true;
    Bound& bound = steps_.bound(static_cast<plan::StepId>(slot_ring_.oldest()));
    if (!bound.in->copy_to(bound.to)) return false;
    is_idle_ = slot_ring_.running() > 1;
    note_arrival();
    set(State::complete);
    return true;
}

// Who counts, and who traces, wants to know of each step.
inline bool Operation::may_begin_wave() const {
    return has_waves_ && !is_watched() && state() == State::inactive;
}

inline void Operation::open_wave() {
    set(State::active);
    is_idle_ = true;
    error_ = standing_error_;
}

inline void Operation::end_wave() {
    is_idle_ = false;
    complete();
}

} // namespace mpix::progress
