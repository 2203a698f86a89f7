// SPDX-License-Identifier: BSD-3-Clause
//
// MPICH 4.0 and later.
#include "host/host.hpp"

#include <sched.h>

#include <cstdio>
#include <string_view>

namespace mpix::host {
namespace {

// Release and acquire pair: what was set up before the hook is seen by the thread that calls it.
constinit std::atomic<void (*)()> progress_callback{nullptr};

// The same, before it asks the network.
constinit std::atomic<void (*)()> before_poll{nullptr};

// Relaxed, both: a poll more or less before the first yield is all that an old value costs.
constinit std::atomic<bool> is_yielding{false};
constinit std::atomic<int> vain_polls{0};
constexpr int patience = 4;

// Relaxed: who ends the host sees what it wrote itself.
constinit std::atomic<bool> leaves_connections{false};

void pause_after(unsigned events) {
    if (events > 0) {
        vain_polls.store(0, std::memory_order_relaxed);
        return;
    }
    const int polls = vain_polls.load(std::memory_order_relaxed);
    if (polls < patience)
        vain_polls.store(polls + 1, std::memory_order_relaxed);
    else
        sched_yield();
}

// Of the library that runs: another than this was built with may have the same name.
int version() { // 40201 of 4.2.1
    static const int known = [] {
        int major = 0, minor = 0, patch = 0;
        std::sscanf(library_version().c_str(), "MPICH Version: %d.%d.%d", &major, &minor, &patch);
        return (major * 100 + minor) * 100 + patch;
    }();
    return known;
}

constexpr int mpich_4_1 = 40100;

int test_each(int count, MPI_Request requests[], int* found, int indices[], MPI_Status statuses[]) {
    int code = MPI_SUCCESS, flag = 1;
    for (*found = 0; *found < count; ++*found) {
        MPI_Status& status = statuses[*found];
        const int one = HOST(Testany)(count, requests, &indices[*found], &flag, &status);
        if (one == MPI_SUCCESS && (!flag || indices[*found] == MPI_UNDEFINED)) break;
        status.MPI_ERROR = one;
        if (one != MPI_SUCCESS) code = MPI_ERR_IN_STATUS;
    }
    return code;
}

// Where all have come nothing is asked of the kernel.
int test_before_first_pending(int count, MPI_Request requests[], int* found, int indices[],
                              MPI_Status statuses[]) {
    int code = MPI_SUCCESS;
    for (*found = 0; *found < count; ++*found) {
        MPI_Request& request = requests[*found];
        MPI_Status& status = statuses[*found];
        int is_done = 0;
        const int asked = HOST(Request_get_status)(request, &is_done, MPI_STATUS_IGNORE);
        if (asked != MPI_SUCCESS || !is_done) break;
        status.MPI_ERROR = HOST(Wait)(&request, &status);
        if (status.MPI_ERROR != MPI_SUCCESS) code = MPI_ERR_IN_STATUS;
        indices[*found] = *found;
    }
    return code;
}

class Mpich final : public Host {
  public:
    // ch4:ucx, ch4:ofi: a line of its version.
    std::string device() const override {
        const std::string_view title = "MPICH Device:";
        const std::string& text = library_version();
        std::size_t begin = text.find(title);
        if (begin == std::string::npos) return "";
        begin = text.find_first_not_of(" \t", begin + title.size());
        return text.substr(begin, text.find('\n', begin) - begin);
    }

    // MPICH on UCX: see ucp_worker_progress below.
    void hook_progress(void (*callback)()) const override {
        progress_callback.store(callback, std::memory_order_release);
    }
    const char* progress_hook() const override {
        return find("ucp_worker_progress") ? "ucp_worker_progress" : nullptr;
    }

    // With MPI_THREAD_MULTIPLE MPICH holds a lock in the hook that its own calls take again, and
    // aborts.
    bool hook_may_call() const override { return !threads_multiple(); }

    // From MPICH 4.1 on a completion after Request_get_status has an empty status.
    bool loses_completions() const override { return version() >= mpich_4_1; }

    bool files_allow_threads() const override { return true; }

    // UCX asks from about 20 KiB on.
    int longest_eager() const override { return 16 << 10; }

    // Iprobe on a communicator of one rank moves nothing, and on others leaves nonblocking
    // collectives as they are. Testall of MPICH 4.0 moves everything, before it looks at what it
    // was given; that of 4.1 looks first, but there is a call for it, except in the standard's ABI.
    void poll() const override {
        using Progress = int(int stream);
        static auto* const progress = reinterpret_cast<Progress*>(find("PMPIX_Stream_progress"));
        constexpr int no_stream = 0x3c000000; // MPIX_STREAM_NULL
        if (progress && !BUILT_FOR_abi) {
            progress(no_stream);
        } else if (version() >= mpich_4_1) {
            Host::poll();
        } else {
            MPI_Request none = MPI_REQUEST_NULL;
            int done = 0;
            HOST(Testall)(1, &none, &done, MPI_STATUSES_IGNORE);
        }
    }

    // From MPICH 4.1 on Testsome says that something failed, and of each that it did not.
    int test_some(int count, MPI_Request requests[], int* found, int indices[],
                  MPI_Status statuses[]) const override {
        if (version() >= mpich_4_1) return test_each(count, requests, found, indices, statuses);
        return Host::test_some(count, requests, found, indices, statuses);
    }

    // From MPICH 4.1 on it looks first, and what Request_get_status told is lost.
    int test_new(int count, MPI_Request requests[], int* found, int indices[],
                 MPI_Status statuses[]) const override {
        if (version() >= mpich_4_1)
            return Host::test_new(count, requests, found, indices, statuses);
        return test_before_first_pending(count, requests, found, indices, statuses);
    }

    // Test polls before it looks, which takes the kernel a microsecond over TCP, and gives the core
    // away where ranks yield. Request_get_status and Wait look first.
    int test_at_once(MPI_Request* request) const override {
        int is_done = 0;
        const int code = HOST(Request_get_status)(*request, &is_done, MPI_STATUS_IGNORE);
        if (code != MPI_SUCCESS || !is_done) return code;
        return HOST(Wait)(request, MPI_STATUS_IGNORE);
    }

    // MPICH itself never yields: with four ranks on two cores a barrier takes it 8 ms.
    void set_yielding(bool yields) const override {
        is_yielding.store(yields, std::memory_order_relaxed);
    }

    bool hook_polls(void (*before)()) const override {
        before_poll.store(before, std::memory_order_release);
        return progress_hook() != nullptr;
    }

    // To send a longer one UCX takes the kernel so long that the other has come, mostly.
    bool comes_later(std::int64_t bytes, bool is_mutual) const override {
        return is_mutual && bytes <= 1 << 10;
    }

    // Between nodes allgathers and barriers are slower by a tenth where it is asked more seldom.
    unsigned yields_between_polls() const override {
        return may_leave_node() ? 1 : Host::yields_between_polls();
    }

    // Each connection over TCP that is closed waits for an answer of its other end, which MPICH 4.0
    // gives no more when all of its own are closed: then it waits for the launcher. So they are
    // left to what ends the whole of UCX, once no rank waits for a message.
    void before_end() const override {
        int ranks = 0;
        HOST(Comm_size)(MPI_COMM_WORLD, &ranks);
        if (!find("ucp_disconnect_nb") || ranks_on_node() >= ranks) return;
        HOST(Barrier)(MPI_COMM_WORLD);
        leaves_connections.store(true, std::memory_order_relaxed);
    }
};

} // namespace

const Host& mpich() {
    static constinit const Mpich host;
    return host;
}

} // namespace mpix::host

// Stands in front of UCX's function of this name, which MPICH calls whenever it waits.
extern "C" [[gnu::visibility("default")]] unsigned ucp_worker_progress(void* worker) {
    using Progress = unsigned(void*);
    static auto* const next =
        reinterpret_cast<Progress*>(mpix::host::demand("ucp_worker_progress"));
    if (!worker) return 0; // a session of one rank has none, and MPICH 4.0.2 asks all the same
    if (auto* before = mpix::host::before_poll.load(std::memory_order_acquire)) before();
    const unsigned events = next(worker);
    if (auto* callback = mpix::host::progress_callback.load(std::memory_order_acquire)) callback();
    if (mpix::host::is_yielding.load(std::memory_order_relaxed)) mpix::host::pause_after(events);
    return events;
}

// Stands in front of UCX's function of this name. Nothing is to be waited for where it does
// nothing.
extern "C" [[gnu::visibility("default")]] void* ucp_disconnect_nb(void* endpoint) {
    using Disconnect = void*(void*);
    static auto* const next =
        reinterpret_cast<Disconnect*>(mpix::host::demand("ucp_disconnect_nb"));
    const bool leaves = mpix::host::leaves_connections.load(std::memory_order_relaxed);
    return leaves ? nullptr : next(endpoint);
}
