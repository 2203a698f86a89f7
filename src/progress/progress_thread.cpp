// SPDX-License-Identifier: BSD-3-Clause
//
// Sleeping and waking. The thread sleeps on is_asleep_; whoever gives it work clears that. A wake
// is lost neither way: the sleeper sets is_asleep_ and then looks for work, the waker makes work
// and then looks at is_asleep_, all sequentially consistent.
#include "progress/progress_thread.hpp"

#include "progress/engine.hpp"
#include "shmem/signals.hpp"

#include <chrono>
#include <exception>

namespace mpix::progress {
namespace {

constexpr unsigned polls_before_waking = 64;
constexpr int turns_per_call = 50;     // before it sleeps again, and the host's polls must wake it
constexpr int turns_of_yielding = 100; // in vain, before it leaves the core to the program
constexpr auto nap = std::chrono::microseconds(20);

} // namespace

ProgressThread& progress_thread() {
    static ProgressThread& one = *new ProgressThread; // never destroyed: MPI calls may come late
    return one;
}

void ProgressThread::run(Mode mode) {
    mode_ = mode;
    if (mode == Mode::always) engine().call_when_pending([] { progress_thread().wake(); });
    const shmem::SignalsBlocked inherited; // they stay with the program's threads
    try {
        thread_ = std::thread([this] { work(); });
    } catch (const std::exception&) {
        // No more threads here, or no memory: plans move in completion calls alone.
    }
}

void ProgressThread::stop() {
    if (!thread_.joinable()) return;
    is_stopping_ = true;
    wake();
    thread_.join();
}

void ProgressThread::wake() {
    if (!is_asleep_ || !is_asleep_.exchange(false)) return;
    is_asleep_.notify_one();
}

// Relaxed: a poll more or less, or a turn seen late, moves the waking by microseconds.
void ProgressThread::note_host_poll() {
    if (!engine().has_pending()) return;
    const unsigned turns = engine().turns();
    if (turns_seen_.load(std::memory_order_relaxed) != turns) {
        turns_seen_.store(turns, std::memory_order_relaxed);
        polls_.store(0, std::memory_order_relaxed);
    } else if (polls_.fetch_add(1, std::memory_order_relaxed) >= polls_before_waking) {
        wake();
    }
}

void ProgressThread::rest() {
    const Engine::Guard guard(engine());
    ++rests_;
}

void ProgressThread::end_rest() {
    {
        const Engine::Guard guard(engine());
        --rests_;
    }
    if (mode_ == Mode::always) wake();
}

bool ProgressThread::has_work() const {
    return is_stopping_ || (mode_ == Mode::always && rests_ == 0 && engine().has_pending());
}

bool ProgressThread::take_turn() {
    const Engine::Guard guard(engine());
    return rests_ == 0 && engine().progress_from_outside();
}

void ProgressThread::sleep() {
    is_asleep_ = true;
    if (has_work()) is_asleep_ = false;
    is_asleep_.wait(true);
}

void ProgressThread::work() {
    int turns = 0;
    while (!is_stopping_) {
        if (!engine().has_pending() || rests_ > 0 ||
            (mode_ == Mode::on_host_polls && turns >= turns_per_call)) {
            sleep();
            turns = 0;
            continue;
        }
        if (take_turn()) turns = 0;
        if (turns < turns_of_yielding) {
            ++turns;
            std::this_thread::yield();
        } else {
            std::this_thread::sleep_for(nap);
        }
    }
}

} // namespace mpix::progress
