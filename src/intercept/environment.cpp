// SPDX-License-Identifier: BSD-3-Clause
//
// The library begins after the host and ends before it. The world and each session count as one use
// of the host.
#include "intercept/environment.hpp"

#include "automatic/communicator_plans.hpp"
#include "base/closed.hpp"
#include "base/settings.hpp"
#include "comm/control_messages.hpp"
#include "comm/creations.hpp"
#include "comm/trace_file.hpp"
#include "comm/wisdom.hpp"
#include "host/misfit.hpp"
#include "host/order.hpp"
#include "intercept/channels.hpp"
#include "intercept/errors.hpp"
#include "intercept/handles.hpp"
#include "intercept/passing.hpp"
#include "intercept/point_to_point.hpp"
#include "library/process.hpp"
#include "partition/matching.hpp"
#include "pready/requests.hpp"
#include "progress/engine.hpp"
#include "progress/host_progress.hpp"
#include "progress/statistics.hpp"

#include <cstdio>
#include <cstdlib>
#include <mutex>

namespace mpix::intercept {
namespace {

// Sequentially consistent: not on any hot path.
constinit std::atomic<int> uses{0};
constinit std::atomic<bool> has_begun{false};
constinit std::atomic<bool> has_world{false};
constinit std::atomic<bool> ends_with_world{false}; // no session is open then

void tell(const std::string& sentence) { std::fputs(("mpix: " + sentence + "\n").c_str(), stderr); }

} // namespace

void look_around() {
    static std::once_flag once;
    std::call_once(once, [] {
        const std::optional<host::Misfit> found = host::misfit();
        if (!found) return;
        tell(found->text);
        if (found->remedy == host::Misfit::Remedy::refuse) std::_Exit(EXIT_FAILURE);
        if (found->remedy == host::Misfit::Remedy::pass) disable();
    });
}

namespace {

void begin_to_wait() {
    base::fix_settings();
    look_around();
    if (!is_disabled()) library::choose_waiting();
}

int begun(int code) {
    if (code != MPI_SUCCESS) return code;
    ++uses;
    has_begun = true;
    if (!is_disabled()) library::begin();
    return code;
}

bool wants_thread() { return base::settings().MPIX_ASYNC_PROGRESS && !is_disabled(); }

void report_missing_threads(bool has_threads) {
    if (wants_thread() && !has_threads)
        std::fputs("mpix: MPIX_ASYNC_PROGRESS=1 is ignored: the MPI library does not provide "
                   "MPI_THREAD_MULTIPLE\n",
                   stderr);
}

// Those that the program has left.
void drop_plans() {
    if (!base::is_closed()) automatic::drop_plans();
    if (!base::is_closed()) comm::end_control_messages(comm::control_of_world());
    partition::end_matching();
    progress::engine().forget_pending();
    for (auto& entry : handles().take_all()) {
        pready::requests().remove(entry.request);
        entry.value.reset();
        if (!base::is_closed()) HOST(Request_free)(&entry.request);
    }
    drop_concluded();
    forget_records();
}

// The callbacks of MPI_COMM_SELF run at the beginning of MPI_Finalize, the newest first: this one
// after those of the program, which may still start and free plans, and before the host is gone.
// Not while a session is still open.
// Nothing is thrown at the host.
int last_callback(MPI_Comm, int, void*, void*) {
    if (uses > 0) return MPI_SUCCESS;
    const int code = guarded([] {
        progress::report_statistics();
        comm::write_trace();
        comm::write_wisdom();
        drop_plans();
        library::close();
        return MPI_SUCCESS;
    });
    if (ends_with_world && !is_disabled()) host::here().before_end();
    return code;
}

void set_last_callback() {
    int key = MPI_KEYVAL_INVALID;
    HOST(Comm_create_keyval)(MPI_COMM_NULL_COPY_FN, last_callback, &key, nullptr);
    HOST(Comm_set_attr)(MPI_COMM_SELF, key, nullptr);
    HOST(Comm_free_keyval)(&key);
}

void tell_of_misuse() {
    int rank = 0, ranks = 1;
    HOST(Comm_rank)(MPI_COMM_WORLD, &rank);
    HOST(Comm_size)(MPI_COMM_WORLD, &ranks);
    if (rank != 0) return;
    if (const auto sentence = host::tool_behind()) tell(*sentence);
    if (ranks > 1) return;
    if (const auto sentence = host::foreign_launcher()) tell(*sentence);
}

// Of any process, also of one that knows no MPI: nothing else of it meets this library.
[[gnu::destructor]] void tell_if_passed_by() {
    if (has_begun) return;
    if (const auto sentence = host::passed_by()) tell(*sentence);
}

int begun_world(int code) {
    if (code != MPI_SUCCESS) return code;
    tell_of_misuse();
    set_last_callback();
    has_world = true;
    begun(code);
    comm::note_world();
    comm::begin_trace();
    if (!is_disabled()) automatic::begin_plans();
    return code;
}

} // namespace

int init(int* argc, char*** argv) {
    begin_to_wait();
    if (!wants_thread()) return begun_world(HOST(Init)(argc, argv));
    int provided = MPI_THREAD_SINGLE;
    return init_thread(argc, argv, MPI_THREAD_SINGLE, &provided);
}

int init_thread(int* argc, char*** argv, int required, int* provided) {
    begin_to_wait();
    const int level = wants_thread() ? MPI_THREAD_MULTIPLE : required;
    const int code = begun_world(HOST(Init_thread)(argc, argv, level, provided));
    if (code == MPI_SUCCESS) report_missing_threads(*provided == MPI_THREAD_MULTIPLE);
    return code;
}

int finalize() {
    const bool is_last = --uses <= 0;
    if (is_last) {
        progress::end_progress();
        ends_with_world = true;
    } else { // the callback comes with the last session, when the world is gone
        progress::report_statistics();
        comm::write_trace();
        if (!is_disabled()) host::here().before_end();
    }
    const int code = HOST(Finalize)();
    if (is_last) drop_plans(); // of callbacks that came even later: there is no host for them
    return code;
}

#if OFFERS_Session_init
int session_init(MPI_Info info, MPI_Errhandler errhandler, MPI_Session* session) {
    begin_to_wait();
    const int code = begun(HOST(Session_init)(info, errhandler, session));
    if (code == MPI_SUCCESS) report_missing_threads(host::threads_multiple());
    return code;
}

// MPICH keeps the callbacks of MPI_COMM_SELF for the last of all to end: the last one closes then.
int session_finalize(MPI_Session* session) {
    const bool is_session = session && *session != MPI_SESSION_NULL;
    if (is_session && --uses <= 0) {
        progress::end_progress();
        if (!has_world) {
            drop_plans();
            library::close();
        }
    }
    return HOST(Session_finalize)(session);
}
#endif

} // namespace mpix::intercept
