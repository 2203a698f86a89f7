// SPDX-License-Identifier: BSD-3-Clause
//
// When a round goes on in fragments, and how the runner serves those that do. All of it happens
// below the progress of any call, where nothing may be thrown.
#include "base/busy.hpp"
#include "progress/engine.hpp"
#include "progress/fragmented_round.hpp"
#include "progress/operation.hpp"

#include <algorithm>
#include <new>

namespace mpix::progress {

using plan::Action;
using plan::Step;
using plan::StepId;

bool Operation::has_incomplete() const {
    const SendPartitions& send_partitions = partitions()->send;
    return send_partitions.any_incomplete() ||
           fragmentation_->any_incomplete(
               [&](std::size_t partition) { return send_partitions.is_marked(partition); });
}

bool Operation::fragment() {
    try {
        engine().note_fragmented(*this);
        fragmentation_->round.reset(new FragmentedRound(*this));
    } catch (const std::bad_alloc&) {
        return false;
    }
    fragmented().begin();
    return true;
}

void Fragmentation::End::operator()(FragmentedRound* ended) const { delete ended; }

void FragmentedRound::fail() noexcept { operation_.note(MPI_ERR_NO_MEM); }

void Operation::end_fragments() {
    fragmentation_->round.reset();
    if (queue_.is_done() && !has_gates()) complete();
}

// True if there is nothing else to do.
bool Operation::note_done(StepId id) {
    if (is_fragmented()) {
        fragmented().done(id);
        return true;
    }
    if (fragmentation_) fragmentation_->note(id);
    note_step(id);
    return false;
}

bool Operation::note_opened(std::size_t gate) {
    if (is_fragmented()) {
        fragmented().open(gate);
        return true;
    }
    note_gate(gate);
    return false;
}

// What a send's status says of its count is nothing: MPICH leaves what was there.
bool Operation::is_announcement(StepId id, const MPI_Status& status) const {
    if (!may_fragment() || !step(id).may_fragment || step(id).action == Action::send) return false;
    int count = 0;
    HOST(Get_count)(&status, MPI_BYTE, &count);
    return count == 0;
}

// Without memory for them they wait where they are.
void Engine::take_fragments(Operation& operation, StepId id) {
    if (operation.is_fragmented() || operation.fragment()) return operation.fragmented().take(id);
    await(operation, id, operation.bound(id).in->awaited());
}

void Engine::note_fragmented(Operation& operation) {
    if (std::ranges::find(fragmented_, &operation) != fragmented_.end()) return;
    fragmented_.push_back(&operation);
    count_pending();
}

// Those for which there is no memory yet stay.
void Engine::expect_fragments() {
    std::erase_if(announced_, [](const Owner& owner) {
        Operation& operation = *owner.operation;
        if (!operation.is_fragmented() && !operation.fragment()) return false;
        operation.fragmented().expect(owner.step);
        return true;
    });
}

// At every thread level others may be about to mark the rest.
void Engine::fragment(Operation& operation) {
    if (!operation.may_fragment() || !operation.is_bound()) return;
    const SendPartitions& send_partitions = operation.partitions()->send;
    if (send_partitions.is_done() || !operation.has_incomplete()) return;
    if (!operation.is_quiet()) return;
    const base::Busy busy(is_busy_);
    if (!operation.is_fragmented())
        operation.fragment();
    else
        operation.fragmented().own_messages();
}

// True if something completed.
bool Engine::serve_fragmented() {
    const base::Busy busy(is_busy_);
    expect_fragments();
    const std::size_t before = fragmented_.size();
    for (std::size_t i = 0; i < fragmented_.size();) {
        Operation& operation = *fragmented_[i];
        if (operation.is_fragmented()) operation.fragmented().poll();
        if (operation.is_fragmented() && !operation.fragmented().is_done()) {
            ++i;
            continue;
        }
        fragmented_[i] = fragmented_.back();
        fragmented_.pop_back();
        if (operation.is_fragmented()) operation.end_fragments();
    }
    if (fragmented_.size() == before) return false;
    count_pending();
    return true;
}

} // namespace mpix::progress
