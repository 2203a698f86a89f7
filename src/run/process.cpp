// SPDX-License-Identifier: BSD-3-Clause
//
// Beginning and ending, and hooking into the progress of the host.
#include "run/process.hpp"

#include "base/closed.hpp"
#include "base/settings.hpp"
#include "host/host.hpp"
#include "node/segment.hpp"
#include "run/agreement.hpp"
#include "run/choice.hpp"
#include "run/context.hpp"
#include "run/creations.hpp"
#include "run/engine.hpp"
#include "run/patience.hpp"
#include "run/progress_thread.hpp"

#include <pthread.h>

#include <atomic>
#include <mutex>

namespace mpix::run {
namespace {

constinit std::atomic<bool> is_hooked{false};
constinit std::atomic<bool> is_ending{false};

// Written when MPI begins. Below MPI_THREAD_SERIALIZED the thread that may call it is known; there
// it is not, and several may mark at once.
constinit pthread_t main_thread{};
constinit int granted_level = MPI_THREAD_SINGLE;

bool is_main_thread() { return pthread_equal(pthread_self(), main_thread) != 0; }

void move_plans() { engine().progress_inside_host(); }
void signal_poll() { progress_thread().note_host_poll(); }

} // namespace

void choose_waiting() {
    if (const base::Settings::toggle wanted = base::settings().MPIX_YIELD)
        host::yield_when_idle(*wanted);
    else if (is_crowded())
        host::yield_when_idle(true);
}

void begin() {
    choose_waiting();
    node::set_sharers(host::ranks_on_node());
    engine().set_threaded(host::threads_multiple());
    main_thread = pthread_self();
    HOST(Query_thread)(&granted_level);
    read_tuning();
    begin_creations();
}

// MPICH's Finalize switches its locks off before it runs the callbacks of MPI_COMM_SELF: no second
// thread may be inside then, and the hook may call.
void end() {
    progress_thread().stop();
    engine().set_threaded(false);
    if (is_hooked) host::hook_progress(move_plans);
    is_ending = true;
}

void close() {
    if (base::is_closed()) return;
    end_agreements();
    drop_contexts();
    end_creations();
    host::free_self();
    base::close();
}

bool may_act_on_marks() {
    if (granted_level == MPI_THREAD_MULTIPLE) return true;
    return granted_level < MPI_THREAD_SERIALIZED && is_main_thread();
}

bool may_progress() { return granted_level >= MPI_THREAD_SERIALIZED || is_main_thread(); }

void begin_progress() {
    static std::once_flag once;
    std::call_once(once, [] {
        const bool has_threads = host::threads_multiple() && !is_ending;
        const bool may_call = host::hook_may_call() || is_ending;
        engine().set_threaded(has_threads);
        if (base::settings().MPIX_ASYNC_PROGRESS && has_threads)
            progress_thread().run(ProgressThread::Mode::always);
        else if (!may_call)
            progress_thread().run(ProgressThread::Mode::on_host_polls);
        host::hook_progress(may_call ? move_plans : signal_poll);
        is_hooked = true;
    });
}

} // namespace mpix::run
