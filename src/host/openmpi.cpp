// SPDX-License-Identifier: BSD-3-Clause
//
// The host contract on Open MPI 4.1 and later.
#include "host/host.hpp"

#ifndef OPEN_MPI
#error "this file is for Open MPI"
#endif

#include "host/error_texts.hpp"

#include <cstdlib>
#include <mutex>

namespace mpix::host {

const char* ranks_variable() { return "OMPI_COMM_WORLD_LOCAL_SIZE"; }

int rank_on_node() {
    const char* text = std::getenv("OMPI_COMM_WORLD_LOCAL_RANK");
    return text ? std::atoi(text) : 0;
}

// Open MPI adds codes to predefined classes as the standard says.
int error_code(int error_class, const std::string& text) {
    return error_texts().code(error_class, text, [error_class] {
        int code = error_class;
        HOST(Add_error_code)(error_class, &code);
        return code;
    });
}

namespace {
constexpr const char* hook_name = "opal_progress_register";
void (*progress_callback)() = nullptr;

int call_back() {
    progress_callback();
    return 0; // no events of Open MPI's
}
} // namespace

void hook_progress(void (*callback)()) {
    static std::once_flag once;
    std::call_once(once, [callback] {
        progress_callback = callback;
        using Register = int(int (*)());
        if (auto* enter = reinterpret_cast<Register*>(find(hook_name))) enter(call_back);
    });
}

const char* progress_hook() { return find(hook_name) ? hook_name : nullptr; }

bool hook_may_call() { return true; }

// Open MPI 4.1: Wait, Waitall, Waitany, Waitsome, Test and Testsome do; Testall and Testany keep it
// and return no error; Waitall of several never ends.
bool loses_completions() { return true; }

// Testall alone tells of an error in the status, without freeing.
bool test_keeping(MPI_Request* request, int* flag, MPI_Status* status) {
    const int code = HOST(Testall)(1, request, flag, status);
    if (code != MPI_SUCCESS && code != MPI_ERR_IN_STATUS) status->MPI_ERROR = code;
    *flag = *flag || code != MPI_SUCCESS;
    return false;
}

bool testall_keeps() { return true; }

// OMPIO's progress function walks the list of its requests without a lock: two threads complete the
// same one, and the second crashes (ompi/mca/common/ompio/common_ompio_request.c). Blocking
// collective calls use them too.
bool files_allow_threads() { return false; }

// btl_tcp_eager_limit is 64 KiB, its own header included.
int longest_eager() { return (64 << 10) - 512; }

// What its launcher says with --oversubscribe, and nothing else does.
void set_yielding(bool yields) {
    using Set = bool(bool);
    static auto* const set = reinterpret_cast<Set*>(find("opal_progress_set_yield_when_idle"));
    if (set) set(yields);
}

void poll() {
    using Progress = void();
    static auto* const progress = reinterpret_cast<Progress*>(find("opal_progress"));
    int found = 0;
    if (progress)
        progress();
    else
        HOST(Iprobe)(MPI_ANY_SOURCE, MPI_ANY_TAG, self(), &found, MPI_STATUS_IGNORE);
}

// It looks at a single request once more after it has moved its messages, and at several in the
// next call.
int test_some(int count, MPI_Request requests[], int* found, int indices[], MPI_Status statuses[]) {
    if (count > 1) return HOST(Testsome)(count, requests, found, indices, statuses);
    indices[0] = 0;
    return HOST(Test)(requests, found, statuses);
}

int test_at_once(MPI_Request* request) {
    int is_done = 0;
    return HOST(Test)(request, &is_done, MPI_STATUS_IGNORE);
}

int class_of(int code) { return error_texts().class_of(code); }

} // namespace mpix::host
