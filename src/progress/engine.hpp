// SPDX-License-Identifier: BSD-3-Clause
//
// The one runner: it executes the ready steps of all active operations and holds their pending
// host requests in one array, so that a single call serves them all. Waves it only begins and looks
// at. It must not know any collective, nor how a program waits.
#pragma once

#include "base/immortal.hpp"
#include "host/host.hpp"
#include "progress/bound.hpp"
#include "progress/pending_requests.hpp"
#include "progress/runner.hpp"

#include <array>
#include <atomic>
#include <cstdint>
#include <utility>
#include <vector>

namespace mpix::progress {

class Engine final : public Runner {
  public:
    // Opens gate 0 of an inactive operation. Reserved room makes it free of allocation.
    void start(Operation& operation);

    // Begins a round that is one wave, which stays idle. Where no other thread may be in MPI.
    void start_wave(Operation& operation);
    // Moves what else there is, and looks at it once, and asks the host now and then; true if it is
    // complete.
    bool progress_and_look_at(Operation& in_wave);

    // Begins rounds of a channel that were started without the engine, and takes over a wave.
    void begin_idle(Operation& operation);
    // The same of one that was claimed, with its members, and of functions of the program.
    void start_claimed(Operation& operation);

    // Acts on partitions that were marked in this operation, if no other thread is here.
    void act_on_marks(Operation& operation);

    // Moves every active plan as far as it can go now. Returns at once when called from within.
    void progress();

    // The same, and moves the host's own messages now and then even if no plan needs it to. True if
    // something of a plan completed.
    bool progress_with_host();

    // Lets the next of those ask the host in any case, if it is otherwise in vain: for who asks
    // seldom. Any thread.
    void ask_host_next() { vain_turns_.store(turns_before_host, std::memory_order_relaxed); }
    // Whether all that plans wait for is within the node.
    bool asks_no_host() const {
        return requests_.empty() && polled_.empty() && gated_.empty() && fragmented_.empty() &&
               waves_ == 0 && !listens_;
    }

    // Whether the host is to give the core away in the next turn, before it asks the network: for
    // who waits, where no other thread does.
    void yield_first(bool yields) { yields_first_ = yields; }
    // Whether in that turn the core was given away, or a message was there before it was.
    bool spares_yield() const { return spares_yield_; }

    // Whether one that waits in turn was started right before this: else what it awaits may be
    // there.
    bool has_just_started() const;

    // The same from inside a host call of the program: gives up if another thread is here.
    void progress_inside_host();

    // The same from a thread of our own. True if something completed.
    bool progress_from_outside();

    // Whether anything is pending, and how often it was tested: both may be asked by any thread.
    // The first is sequentially consistent for the progress thread, which sleeps by it; the second
    // orders nothing.
    bool has_pending() const { return pending_.load() != 0; }
    std::size_t pending() const { return pending_.load(std::memory_order_relaxed); }
    unsigned turns() const { return turns_.load(std::memory_order_relaxed); }

    // Has `callback` called when something becomes pending that was not. Before the first plan.
    void call_when_pending(void (*callback)()) { when_pending_ = callback; }

    // Something beside operations is waited for: `listener` is called in every turn until it is
    // null, and tells whether something has come.
    enum class Listener : std::uint8_t { control_messages, queued_calls };
    void listen(Listener who, bool (*listener)()) {
        listeners_[static_cast<std::size_t>(who)] = listener;
        listens_ = listeners_[0] || listeners_[1];
        count_pending();
    }

    void reserve(std::size_t messages) override;
    void unreserve(std::size_t messages) override { reserved_ -= messages; }
    void reserve_gated() override;
    void unreserve_gated() override { --reserved_gated_; }
    void resume(Operation& operation) override;
    void await(Operation& operation, plan::StepId id, const shmem::Awaited& awaited) override;
    void note_fragmented(Operation& operation) override;

    // Drops the pending host requests, when the program finalises in spite of them.
    void forget_pending() {
        requests_.clear();
        awaited_.clear();
        gated_.clear();
        fragmented_.clear();
        polled_.clear();
        waves_ = 0;
        pending_.store(0, std::memory_order_relaxed);
    }

  private:
    // While it waits within the node: about a microsecond.
    static constexpr unsigned turns_before_host = 128;
    // A function of the program seems to wait: others may be what it waits for.
    static constexpr unsigned turns_before_inner_poll = 64;

    struct Owner {
        Operation* operation;
        plan::StepId step;
    };
    // Operations that are members, and functions of the program: nobody tells when they are done.
    struct Polled {
        Owner owner; // without an operation: done
        bool is_asked = false;
    };
    struct Awaiting {
        shmem::Awaited awaited;
        Owner owner;
    };

    // Who lets the plans move: what is marked goes ahead of what is not where the program waits or
    // asks.
    enum class Caller : std::uint8_t { of_ours, of_program };
    bool turn(Caller caller);
    bool test(bool yields_first);
    template<class Requests>
    bool look_for(Requests& requests, bool yields_first);
    void note_start(const Operation& operation);
    bool look();
    bool call_listeners();
    bool serve_marks(Caller caller);
    void fragment(Operation& operation);
    bool serve_fragmented();
    void take_fragments(Operation& operation, plan::StepId id);
    void expect_fragments();
    bool poll();
    bool poll_from(std::size_t first);
    void enter(Operation& operation);
    void open_gates(Operation& operation);
    void act_and_look(Operation& operation);
    void advance(Operation& operation);
    static int caught() noexcept;
    bool execute(Operation& operation, plan::StepId id);
    bool send(Operation& operation, plan::StepId id);
    bool proceed_out(Operation& operation, plan::StepId id);
    bool receive(Operation& operation, plan::StepId id);
    void proceed(Operation& operation, plan::StepId id);
    bool proceed_in(Operation& operation, plan::StepId id);
    bool delegate(Operation& operation, plan::StepId id);
    bool start_member(Operation& bundle, plan::StepId id);
    bool start_long_member(Operation& bundle, plan::StepId id);
    bool start_message(Operation& bundle, plan::StepId id);
    bool poll_later(Operation& operation, plan::StepId id);
    MPI_Request post_send(Operation& operation, Bound& bound);
    MPI_Request post_receive(Operation& operation, const Bound& bound);
    MPI_Request post_delegate(Operation& operation);
    bool hold(Operation& operation, plan::StepId id, MPI_Request request);
    bool begin_in_wave(Operation& operation, plan::StepId id);
    MPI_Request begin_of_host(Operation& operation, plan::StepId id);
    bool look_at(Operation& in_wave);
    void take_from_queues(Operation& in_wave);
    void test(Operation& in_wave, bool yields_first);
    void ask_host_now_and_then();
    void take_over(Operation& in_wave);
    void count_pending();
    static void note_outcome(const Owner& of, MPI_Request request, int code,
                             const MPI_Status& status);
    void finish_found();

    PendingRequests<Owner> requests_;    // but of waves
    FoundRequests found_;                // by the latest look at these or those
    std::vector<Awaiting> awaited_;      // of queues within the node
    std::vector<Operation*> gated_;      // active, with partitions to mark
    std::vector<Operation*> fragmented_; // whose rounds go on in fragments
    std::vector<Polled> polled_;
    int waves_ = 0;            // that are under way
    int polls_ = 0;            // that are under way, one in a function of the other
    unsigned inner_turns_ = 0; // within the function of the program that is being called
    std::vector<Owner> completed_;
    std::vector<Owner> announced_; // messages of the host that come in fragments
    // What is in requests_, awaited_, gated_ and polled_, for those who do not hold the guard.
    std::atomic<std::size_t> pending_{0};
    std::atomic<unsigned> turns_{0};
    void (*when_pending_)() = nullptr;
    std::array<bool (*)(), 2> listeners_{};
    bool listens_ = false; // any of them
    std::size_t reserved_ = 0;
    std::size_t reserved_gated_ = 0;
    std::atomic<unsigned> vain_turns_{0}; // since the host was last asked; orders nothing
    bool is_busy_ = false;
    bool yields_first_ = false;
    bool spares_yield_ = false;
    std::int64_t started_ = 0; // nanoseconds of clock_now(), of one that waits in turn
    bool has_asked_ = false;   // receivers, for messages that no poll has moved yet
};

extern base::Immortal<Engine> the_engine;
inline Engine& engine() { return the_engine.value; }

template<class Requests>
bool Engine::look_for(Requests& requests, bool yields_first) {
    const host::YieldFirst first(yields_first);
    const bool found = requests.look(found_);
    spares_yield_ = yields_first && (found || first.has_yielded());
    return found;
}

} // namespace mpix::progress
