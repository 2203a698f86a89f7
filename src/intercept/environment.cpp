// SPDX-License-Identifier: BSD-3-Clause
//
// The library begins after the host and ends with it. The world and each session count as one use
// of the host; what plans are left when the last ends is forgotten without the host.
#include "intercept/environment.hpp"

#include "intercept/handles.hpp"
#include "intercept/passing.hpp"
#include "intercept/point_to_point.hpp"
#include "run/agreement.hpp"
#include "run/engine.hpp"
#include "run/process.hpp"
#include "run/settings.hpp"

#include <cstdio>

namespace mpix::intercept {
namespace {

// Sequentially consistent: not on any hot path.
constinit std::atomic<int> uses{0};

void begin_to_wait() {
    if (!is_disabled()) run::choose_waiting();
}

int begun(int code) {
    if (code != MPI_SUCCESS) return code;
    ++uses;
    if (!is_disabled()) run::begin();
    return code;
}

bool wants_thread() { return run::settings().MPIX_ASYNC_PROGRESS && !is_disabled(); }

void report_missing_threads(int provided) {
    if (wants_thread() && provided < MPI_THREAD_MULTIPLE)
        std::fputs("mpix: MPIX_ASYNC_PROGRESS=1 is ignored: the MPI library does not provide "
                   "MPI_THREAD_MULTIPLE\n",
                   stderr);
}

void forget_plans() {
    run::engine().forget_pending();
    handles().take_all();
    forget_records();
}

} // namespace

int init(int* argc, char*** argv) {
    if (!wants_thread()) {
        begin_to_wait();
        return begun(HOST(Init)(argc, argv));
    }
    int provided = MPI_THREAD_SINGLE;
    return init_thread(argc, argv, MPI_THREAD_SINGLE, &provided);
}

int init_thread(int* argc, char*** argv, int required, int* provided) {
    begin_to_wait();
    const int level = wants_thread() ? MPI_THREAD_MULTIPLE : required;
    const int code = begun(HOST(Init_thread)(argc, argv, level, provided));
    if (code == MPI_SUCCESS) report_missing_threads(*provided);
    return code;
}

// The host first: delete callbacks on MPI_COMM_SELF run at the beginning of its finalize, and may
// still start and free plans.
int finalize() {
    const bool is_last = --uses <= 0;
    if (is_last) run::end();
    const int code = HOST(Finalize)();
    if (is_last) forget_plans();
    return code;
}

#if MPI_VERSION >= 4
int session_init(MPI_Info info, MPI_Errhandler errhandler, MPI_Session* session) {
    begin_to_wait();
    return begun(HOST(Session_init)(info, errhandler, session));
}

int session_finalize(MPI_Session* session) {
    const bool is_last = --uses <= 0;
    if (is_last) {
        run::end_agreements();
        run::end();
    }
    const int code = HOST(Session_finalize)(session);
    if (is_last) forget_plans();
    return code;
}
#endif

} // namespace mpix::intercept
