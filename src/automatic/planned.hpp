// SPDX-License-Identifier: BSD-3-Clause
//
// A plan that plain calls run on. Nonblocking ones run one after the other, on all ranks in the
// order in which they were made.
#pragma once

#include "automatic/plan_cache.hpp"
#include "automatic/promises.hpp"
#include "progress/operation.hpp"
#include "progress/race.hpp"

#include <atomic>
#include <cstddef>
#include <memory>

namespace mpix::automatic {

using progress::Race;

class Planned {
  public:
    Planned(std::unique_ptr<progress::Operation> made, const progress::Places& bound_to)
        : operation(std::move(made)), places(bound_to) {
        kept.fetch_add(1, std::memory_order_relaxed);
    }
    ~Planned() {
        wait_for_calls();
        kept.fetch_sub(1, std::memory_order_relaxed);
    }
    Planned(const Planned&) = delete;
    Planned& operator=(const Planned&) = delete;

    // To other buffers, between two rounds. Throws Failure.
    void move(const progress::Places& to) {
        if (places == to) return;
        given_send = given_recv = nullptr;
        places = {}; // it may fail on the way
        operation->move(to);
        places = to;
    }
    bool is_for(const RawArguments& given) const {
        return given.send == given_send && given.recv == given_recv;
    }

    // Of the ways of the plan this one has won.
    void keep(std::size_t way) {
        wait_for_calls();
        operation->take_way(way);
        operation->keep_way();
    }

    // Begins a nonblocking call, or has it wait for its turn. Under the engine's guard.
    void begin(PendingCall& call);
    // What is called next may use the plan.
    void wait_for_calls();

    // How many there are, for whoever looks.
    static inline constinit std::atomic<std::size_t> kept{0};

    std::unique_ptr<progress::Operation> operation;
    progress::Places places;    // that it is bound to
    std::unique_ptr<Race> race; // until it is over
    progress::RaceTimes times;  // where ranks compare: any thread that moves the host writes them
    // The buffers of the program that this was for, as they stood in its call.
    const void* given_send = nullptr;
    const void* given_recv = nullptr;

  private:
    bool has_calls() const { return first_call_ != nullptr; }
    void begin_first();
    void drop_first(int code);
    bool look();
    static bool look_at_all();

    // The first is under way. Under the engine's guard.
    PendingCall* first_call_ = nullptr;
    PendingCall* last_call_ = nullptr;
    Planned* next_pending_ = nullptr; // of all that have calls
};

using Entry = PlanCache<Planned>::Entry;

} // namespace mpix::automatic
