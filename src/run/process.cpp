// SPDX-License-Identifier: BSD-3-Clause
//
// See process.hpp.
#include "run/process.hpp"

#include "host/host.hpp"
#include "run/agreement.hpp"
#include "run/engine.hpp"
#include "run/patience.hpp"
#include "run/progress_thread.hpp"
#include "run/settings.hpp"

#include <mutex>

namespace mpix::run {
namespace {

// Relaxed: who finalises has synchronised with every thread that used MPI.
constinit std::atomic<bool> closed{false};

void move_plans() { engine().progress_inside_host(); }
void signal_poll() { progress_thread().note_host_poll(); }

int end_with_self(MPI_Comm, int, void*, void*) {
    end();
    return MPI_SUCCESS;
}

// The callbacks of MPI_COMM_SELF are called at the beginning of MPI_Finalize, the newest first:
// after those of the program, which may still wait for plans, and before the host is gone.
void end_at_finalize() {
    int is_initialized = 0, key = MPI_KEYVAL_INVALID;
    HOST(Initialized)(&is_initialized);
    if (!is_initialized) return; // a program of sessions
    HOST(Comm_create_keyval)(MPI_COMM_NULL_COPY_FN, end_with_self, &key, nullptr);
    HOST(Comm_set_attr)(MPI_COMM_SELF, key, nullptr);
    HOST(Comm_free_keyval)(&key);
}

} // namespace

void choose_waiting() {
    if (const toggle wanted = settings().MPIX_YIELD)
        host::yield_when_idle(*wanted);
    else if (is_crowded())
        host::yield_when_idle(true);
}

void begin() {
    choose_waiting();
    engine().set_threaded(host::threads_multiple());
    end_at_finalize();
}

void end() {
    progress_thread().stop();
    end_agreements();
}

void begin_progress() {
    static std::once_flag once;
    std::call_once(once, [] {
        engine().set_threaded(host::threads_multiple());
        if (settings().MPIX_ASYNC_PROGRESS && host::threads_multiple())
            progress_thread().run(ProgressThread::Mode::always);
        else if (!host::hook_may_call())
            progress_thread().run(ProgressThread::Mode::on_host_polls);
        host::hook_progress(host::hook_may_call() ? move_plans : signal_poll);
    });
}

void close() { closed.store(true, std::memory_order_relaxed); }
bool is_closed() { return closed.load(std::memory_order_relaxed); }

} // namespace mpix::run
