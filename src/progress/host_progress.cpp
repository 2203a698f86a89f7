// SPDX-License-Identifier: BSD-3-Clause
//
// The hook, the thread, and who may call.
#include "progress/host_progress.hpp"

#include "base/settings.hpp"
#include "host/host.hpp"
#include "progress/engine.hpp"
#include "progress/progress_thread.hpp"

#include <pthread.h>

#include <atomic>
#include <mutex>

namespace mpix::progress {
namespace {

constinit std::atomic<bool> is_hooked{false};
constinit std::atomic<bool> is_ending{false};

// Written when MPI begins. Below MPI_THREAD_SERIALIZED the thread that may call it is known; there
// it is not, and several may mark at once.
constinit pthread_t main_thread{};
constinit int granted_level = MPI_THREAD_SINGLE;

bool is_main_thread() { return pthread_equal(pthread_self(), main_thread) != 0; }

// In every turn of the host.
void move_plans() {
    if (engine().has_pending()) engine().progress_inside_host();
}
void signal_poll() { progress_thread().note_host_poll(); }

} // namespace

void note_thread_level() {
    engine().set_threaded(host::threads_multiple());
    main_thread = pthread_self();
    HOST(Query_thread)(&granted_level);
}

void begin_progress() {
    static std::once_flag once;
    std::call_once(once, [] {
        const bool has_threads = host::threads_multiple() && !is_ending;
        const bool may_call = host::here().hook_may_call() || is_ending;
        engine().set_threaded(has_threads);
        if (base::settings().MPIX_ASYNC_PROGRESS && has_threads)
            progress_thread().run(ProgressThread::Mode::always);
        else if (!may_call)
            progress_thread().run(ProgressThread::Mode::on_host_polls);
        host::here().hook_progress(may_call ? move_plans : signal_poll);
        is_hooked = true;
    });
}

// MPICH's Finalize switches its locks off before it runs the callbacks of MPI_COMM_SELF: no second
// thread may be inside then, and the hook may call.
void end_progress() {
    progress_thread().stop();
    engine().set_threaded(false);
    if (is_hooked) host::here().hook_progress(move_plans);
    is_ending = true;
}

void rest() { progress_thread().rest(); }
void end_rest() { progress_thread().end_rest(); }

bool may_act_on_marks() {
    if (granted_level == MPI_THREAD_MULTIPLE) return true;
    return granted_level < MPI_THREAD_SERIALIZED && is_main_thread();
}

bool may_progress() { return granted_level >= MPI_THREAD_SERIALIZED || is_main_thread(); }

} // namespace mpix::progress
