// SPDX-License-Identifier: BSD-3-Clause
//
// When the tool information interface begins and ends: it counts its users, as the host does.
#include "intercept/environment.hpp"
#include "intercept/passing.hpp"
#include "intercept/performance_handles.hpp"
#include "intercept/tool_calls.hpp"

#include <atomic>

namespace mpix::intercept::tools {
namespace {

// Relaxed: who uses the interface has synchronised with the call that began it.
constinit std::atomic<int> uses{0};

} // namespace

bool has_begun() { return uses.load(std::memory_order_relaxed) > 0; }

int init_thread(int required, int* provided) {
    look_around();
    const int code = HOST(T_init_thread)(required, provided);
    if (code == MPI_SUCCESS && !is_disabled()) uses.fetch_add(1, std::memory_order_relaxed);
    return code;
}

int finalize() {
    const int code = HOST(T_finalize)();
    if (code == MPI_SUCCESS && uses.fetch_sub(1, std::memory_order_relaxed) == 1)
        performance_handles().drop_all();
    return code;
}

} // namespace mpix::intercept::tools
