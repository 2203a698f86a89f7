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
constinit std::atomic<bool> is_hooked{false};

void move_plans() { engine().progress_inside_host(); }
void signal_poll() { progress_thread().note_host_poll(); }

int give_back(MPI_Comm, int, void*, void*) {
    end_agreements();
    return MPI_SUCCESS;
}

// The callbacks of MPI_COMM_SELF are called at the beginning of MPI_Finalize, the newest first:
// after those of the program, which may still make plans, and before the host is gone.
void give_back_at_finalize() {
    int is_initialized = 0, key = MPI_KEYVAL_INVALID;
    HOST(Initialized)(&is_initialized);
    if (!is_initialized) return; // a program of sessions
    HOST(Comm_create_keyval)(MPI_COMM_NULL_COPY_FN, give_back, &key, nullptr);
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
    give_back_at_finalize();
}

// MPICH's Finalize switches its locks off before it runs the callbacks of MPI_COMM_SELF: no second
// thread may be inside then, and the hook may call.
void end() {
    progress_thread().stop();
    engine().set_threaded(false);
    if (is_hooked) host::hook_progress(move_plans);
    closed.store(true, std::memory_order_relaxed);
}

void begin_progress() {
    static std::once_flag once;
    std::call_once(once, [] {
        const bool has_threads = host::threads_multiple() && !is_closed();
        const bool may_call = host::hook_may_call() || is_closed();
        engine().set_threaded(has_threads);
        if (settings().MPIX_ASYNC_PROGRESS && has_threads)
            progress_thread().run(ProgressThread::Mode::always);
        else if (!may_call)
            progress_thread().run(ProgressThread::Mode::on_host_polls);
        host::hook_progress(may_call ? move_plans : signal_poll);
        is_hooked = true;
    });
}

bool is_closed() { return closed.load(std::memory_order_relaxed); }

} // namespace mpix::run
