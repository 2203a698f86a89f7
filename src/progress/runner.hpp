// SPDX-License-Identifier: BSD-3-Clause
//
// What an operation asks of whoever runs it, and the guard around both.
#pragma once

#include "host/symbols.hpp"
#include "plan/plan.hpp"
#include "shmem/queue.hpp"

#include <mutex>

namespace mpix::progress {

class Operation;

class Runner {
  public:
    // Held around everything that the engine does and the state of operations; real only if the
    // program has several threads in MPI at once.
    class Guard {
      public:
        explicit Guard(Runner& runner) : runner_(runner), locks_(runner.threaded_) {
            if (locks_) runner_.mutex_.lock();
        }
        ~Guard() {
            if (locks_) runner_.mutex_.unlock();
        }
        Guard(const Guard&) = delete;
        Guard& operator=(const Guard&) = delete;

      private:
        Runner& runner_;
        const bool locks_;
    };

    // Called when the thread level is known, before there are plans.
    bool is_threaded() const { return threaded_; }
    void set_threaded(bool threaded) {
        if (threaded_ != threaded) threaded_ = threaded;
    }

    // Room for the messages of one more (one fewer) operation.
    virtual void reserve(std::size_t messages) = 0;
    virtual void unreserve(std::size_t messages) = 0;
    virtual void reserve_gated() = 0; // the same of one with partitions to mark
    virtual void unreserve_gated() = 0;

    // An active operation has got its plan.
    virtual void resume(Operation& operation) = 0;
    // A message on a queue is to be looked for.
    virtual void await(Operation& operation, plan::StepId id, const shmem::Awaited& awaited) = 0;
    // The round of the operation goes on in fragments, until that is done. Throws bad_alloc.
    virtual void note_fragmented(Operation& operation) = 0;

  protected:
    ~Runner() = default;

    std::recursive_mutex mutex_;
    bool threaded_ = false; // written before there are plans
};

// The engine.
Runner& runner();

} // namespace mpix::progress
