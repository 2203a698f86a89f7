// SPDX-License-Identifier: BSD-3-Clause
//
// Executing steps. A step whose host call fails counts as done, so that nothing hangs; the
// operation reports the error when it completes.
#include "progress/engine.hpp"

#include "base/busy.hpp"
#include "host/failure.hpp"
#include "progress/fragmented_round.hpp"
#include "progress/operation.hpp"
#include "progress/ticks.hpp"

#include <algorithm>
#include <new>
#include <utility>

namespace mpix::progress {

using plan::Action;
using plan::Step;
using plan::StepId;

// The error of what is being thrown. A step of an operation has failed: it counts as done.
int Engine::caught() noexcept {
    try {
        throw;
    } catch (const host::Failure& failure) {
        return failure.code;
    } catch (const std::bad_alloc&) {
        return MPI_ERR_NO_MEM;
    } catch (...) {
        return MPI_ERR_INTERN;
    }
}

constinit base::Immortal<Engine> the_engine;

Runner& runner() { return engine(); }

void Engine::reserve(std::size_t messages) {
    const std::size_t needed = reserved_ + messages;
    if (needed > found_.room()) {
        const std::size_t room = 2 * needed;
        requests_.reserve(room);
        awaited_.reserve(room);
        completed_.reserve(room);
        announced_.reserve(room);
        polled_.reserve(room);
        found_.resize(room); // the last: it tells how much room there is
    }
    reserved_ = needed; // after what may fail
}

void Engine::reserve_gated() {
    if (reserved_gated_ == gated_.capacity()) gated_.reserve(2 * reserved_gated_ + 1);
    ++reserved_gated_;
}

void Engine::start(Operation& operation) {
    const base::Busy busy(is_busy_);
    operation.open();
    enter(operation);
    note_start(operation);
}

// It takes time to send what it has to: the clock is read behind that.
void Engine::note_start(const Operation& operation) {
    if (operation.waits_in_turn()) started_ = clock_now();
}

bool Engine::has_just_started() const {
    constexpr std::int64_t least_way = 5'000; // a network brings nothing sooner, mostly
    return clock_now() - started_ < least_way;
}

void Engine::enter(Operation& operation) {
    advance(operation);
    operation.ring();
    if (!operation.has_gates()) return;
    gated_.push_back(&operation);
    count_pending();
}

void Engine::begin_idle(Operation& operation) {
    const base::Busy busy(is_busy_);
    operation.open_idle();
    if (operation.has_waves()) return take_over(operation);
    advance(operation);
    operation.ring();
}

void Engine::resume(Operation& operation) {
    const base::Busy busy(is_busy_);
    advance(operation);
    operation.ring();
}

// Who holds the lock may have read the log before this mark: it looks again after it has let go,
// or this thread gets the lock. A full fence between the two steps on either side sees to it.
void Engine::act_on_marks(Operation& operation) {
    if (!threaded_) {
        if (!is_busy_) act_and_look(operation);
        return;
    }
    const SendPartitions& send_partitions = operation.partitions()->send;
    do {
        std::atomic_thread_fence(std::memory_order_seq_cst);
        {
            const std::unique_lock lock(mutex_, std::try_to_lock);
            if (!lock.owns_lock() || is_busy_ || !operation.is_bound()) return;
            act_and_look(operation);
        }
        std::atomic_thread_fence(std::memory_order_seq_cst);
    } while (send_partitions.has_unread());
}

void Engine::open_gates(Operation& operation) {
    if (!operation.is_bound()) return;
    const base::Busy busy(is_busy_);
    operation.open_gates(
        [&](StepId id) { await(operation, id, operation.bound(id).out->awaited()); });
    advance(operation);
    operation.ring();
}

// What has come within the node meanwhile is taken too, and long messages of the host's move: who
// marks partitions may do nothing else for long.
void Engine::act_and_look(Operation& operation) {
    open_gates(operation);
    if (!awaited_.empty()) look();
    if (has_asked_) test(false);
}

void Engine::progress_inside_host() {
    if (!threaded_) return progress();
    const std::unique_lock lock(mutex_, std::try_to_lock);
    if (lock.owns_lock()) progress();
}

void Engine::advance(Operation& operation) {
    while (operation.has_ready()) {
        const StepId id = operation.next_ready();
        if (execute(operation, id))
            operation.done(id);
        else
            operation.note_begun(id);
    }
}

// True if the step is done already.
bool Engine::execute(Operation& operation, StepId id) try {
    switch (operation.bound(id).action) {
    case Action::send: return send(operation, id);
    case Action::recv:
    case Action::combine: return receive(operation, id);
    case Action::copy: operation.copy(id); return true;
    case Action::reduce: operation.reduce(id); return true;
    case Action::arrive: operation.arrive(id); return true;
    case Action::delegate: return delegate(operation, id);
    case Action::member: return start_member(operation, id);
    case Action::call: return poll_later(operation, id);
    }
    return true;
} catch (...) { // nothing passes the host's frames, which may be below
    operation.note(caught());
    return true;
}

bool Engine::send(Operation& operation, StepId id) {
    Bound& bound = operation.bound(id);
    if (bound.out) {
        if (!operation.takes_queue(id)) return false;
        bound.out->begin(bound.from);
        return proceed_out(operation, id);
    }
    const MPI_Request request = post_send(operation, bound);
    has_asked_ = has_asked_ || (bound.is_asked && request != MPI_REQUEST_NULL);
    return hold(operation, id, request);
}

bool Engine::receive(Operation& operation, StepId id) {
    Bound& bound = operation.bound(id);
    if (bound.in) {
        if (!operation.takes_queue(id)) return false;
        bound.in->begin();
        return proceed_in(operation, id);
    }
    return hold(operation, id, post_receive(operation, bound));
}

bool Engine::delegate(Operation& operation, StepId id) {
    return hold(operation, id, post_delegate(operation));
}

bool Engine::proceed_out(Operation& operation, StepId id) {
    if (operation.is_fragmented() && !operation.fragmented().is_of_threads(id)) [[unlikely]] {
        operation.fragmented().push(id);
        return false;
    }
    Bound& bound = operation.bound(id);
    if (std::exchange(bound.is_put, false)) return true; // and taken
    if (!bound.out->proceed()) {
        await(operation, id, bound.out->awaited());
        return false;
    }
    operation.free_queue();
    if (!operation.step(id).is_synchronous) return true;
    bound.is_put = true;
    await(operation, id, bound.out->taken());
    return false;
}

void Engine::proceed(Operation& operation, StepId id) {
    const bool is_out = operation.step(id).action == Action::send;
    if (!(is_out ? proceed_out(operation, id) : proceed_in(operation, id)))
        return advance(operation); // the queue may be free for the next message
    if (operation.is_direct(id)) return operation.partitions()->send.sent();
    operation.done(id);
    advance(operation);
}

bool Engine::proceed_in(Operation& operation, StepId id) {
    if (operation.takes_fragments(id)) [[unlikely]] {
        take_fragments(operation, id);
        return false;
    }
    if (operation.take(id)) {
        operation.free_queue();
        return true;
    }
    await(operation, id, operation.bound(id).in->awaited());
    return false;
}

void Engine::await(Operation& operation, StepId id, const shmem::Awaited& awaited) {
    awaited_.push_back({awaited, {&operation, id}});
    count_pending();
}

// A store that all other threads may see late, unless a thread of our own sleeps until it comes.
void Engine::count_pending() {
    const std::size_t pending = requests_.size() + awaited_.size() + gated_.size() +
                                fragmented_.size() + polled_.size() + (listens_ ? 1 : 0);
    if (!when_pending_) return pending_.store(pending, std::memory_order_relaxed);
    if (pending_.exchange(pending) == 0 && pending > 0) when_pending_();
}

void Engine::progress() {
    if (!is_busy_) turn(Caller::of_program);
}

bool Engine::progress_from_outside() {
    const Guard guard(*this);
    return !is_busy_ && turn(Caller::of_ours);
}

// A plan within the node asks the host nothing, and the program may have messages there that only
// move when somebody does.
bool Engine::progress_with_host() {
    if (is_busy_) return false;
    const bool has_asked = !requests_.empty();
    if (turn(Caller::of_program)) return true;
    if (!has_asked) ask_host_now_and_then();
    return false;
}

void Engine::ask_host_now_and_then() {
    const unsigned vain_turns = vain_turns_.load(std::memory_order_relaxed) + 1;
    vain_turns_.store(vain_turns < turns_before_host ? vain_turns : 0, std::memory_order_relaxed);
    if (vain_turns < turns_before_host) return;
    const base::Busy busy(is_busy_);
    const host::KeepCore keep_core;
    host::here().poll();
}

// True if something completed.
bool Engine::turn(Caller caller) {
    turns_.store(turns_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
    const bool yields_first = std::exchange(yields_first_, false);
    spares_yield_ = false;
    bool found = !awaited_.empty() && look();
    if (!requests_.empty()) found |= test(yields_first && !found);
    if (listens_) [[unlikely]]
        found |= call_listeners();
    if (!gated_.empty()) [[unlikely]]
        found |= serve_marks(caller);
    if (!fragmented_.empty()) [[unlikely]]
        found |= serve_fragmented();
    if (!polled_.empty()) [[unlikely]]
        found |= poll();
    return found;
}

// Marks that nobody has acted on. True if an operation completed.
bool Engine::serve_marks(Caller caller) {
    const std::size_t before = gated_.size();
    for (std::size_t i = 0; i < gated_.size();) {
        Operation& operation = *gated_[i];
        const SendPartitions& send_partitions = operation.partitions()->send;
        if (send_partitions.has_unread()) open_gates(operation);
        if (caller == Caller::of_program) fragment(operation);
        operation.complete_if_done();
        if (operation.state() == Operation::State::active) {
            ++i;
            continue;
        }
        gated_[i] = gated_.back();
        gated_.pop_back();
    }
    if (gated_.size() == before) return false;
    count_pending();
    return true;
}

bool Engine::call_listeners() {
    const base::Busy busy(is_busy_);
    bool found = false;
    for (std::size_t i = 0; i < listeners_.size(); ++i) // one may end
        if (listeners_[i]) found |= listeners_[i]();
    return found;
}

bool Engine::look() {
    const base::Busy busy(is_busy_);
    bool found = false;
    for (std::size_t i = 0; i < awaited_.size();) {
        if (!awaited_[i].awaited.is_there()) {
            ++i;
            continue;
        }
        found = true;
        const auto [operation, id] = awaited_[i].owner;
        awaited_[i] = awaited_.back(); // what follows may add others
        awaited_.pop_back();
        proceed(*operation, id);
        operation->ring();
    }
    if (found) count_pending();
    return found;
}

} // namespace mpix::progress
