// SPDX-License-Identifier: BSD-3-Clause
//
// A thread that moves plans while no thread of the program does. It needs MPI_THREAD_MULTIPLE. It
// never runs where nothing is pending.
#pragma once

#include <atomic>
#include <thread>

namespace mpix::progress {

class ProgressThread {
  public:
    enum class Mode {
        always,        // whenever something is pending: the program may compute meanwhile
        on_host_polls, // when the program waits in a host call whose hook may not call the host
    };

    void run(Mode mode);

    // Returns when the thread has ended. The plans then move in completion calls alone.
    void stop();

    // The host polls inside a call. Many of them while plans stand still wake the thread.
    void note_host_poll();

    // Between these, counted, it takes no turn. rest() returns after the turn that it is in.
    void rest();
    void end_rest();

    // Something is pending that was not before.
    void wake();

  private:
    void work();
    void sleep();
    bool take_turn();
    bool has_work() const;

    Mode mode_ = Mode::on_host_polls;
    std::thread thread_;
    std::atomic<bool> is_stopping_{false};
    std::atomic<bool> is_asleep_{false};
    std::atomic<int> rests_{0};           // written and read for a turn under the engine's lock
    std::atomic<unsigned> turns_seen_{0}; // of the engine, at the last host poll
    std::atomic<unsigned> polls_{0};      // of the host since then
};

ProgressThread& progress_thread();

} // namespace mpix::progress
