// SPDX-License-Identifier: BSD-3-Clause
// Who waits within its node asks the host, where messages of the program's own may be, and not
// after each yield: others of its core wait as long as that takes. Run with MPIX_YIELD=1 on one
// node.
#include "common/plans.hpp"

#include <dlfcn.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <vector>

using namespace mpitest;

namespace {

constexpr int rounds = 20;
constexpr int most_yields = 40;   // of a round: later it may sleep
thread_local bool counts = false; // the host has threads of its own
thread_local int polls = 0, yields = 0, yields_of_round = 0;

int count_poll() {
    if (counts) ++polls;
    return 0;
}

} // namespace

// Before those of the C library and, where it is MPICH over UCX, of the library.
extern "C" {
[[gnu::visibility("default")]] int sched_yield() noexcept {
    if (counts) ++yields, counts = ++yields_of_round < most_yields;
    return static_cast<int>(syscall(SYS_sched_yield));
}
[[gnu::visibility("default")]] unsigned ucp_worker_progress(void* worker) {
    using Progress = unsigned(void*);
    static auto* const next = reinterpret_cast<Progress*>(dlsym(RTLD_NEXT, "ucp_worker_progress"));
    count_poll();
    return next(worker);
}
}

TEST_CASE("who waits within the node asks the host, but not after each yield") {
    using Register = int(int (*)());
    auto* const of_open_mpi =
        reinterpret_cast<Register*>(dlsym(RTLD_DEFAULT, "opal_progress_register"));
    if (of_open_mpi) of_open_mpi(count_poll);
    const bool has_ucx = dlopen("libucp.so.0", RTLD_NOW | RTLD_NOLOAD);
    if (!of_open_mpi && !has_ucx) return; // polls are counted nowhere
    std::vector<double> to(1), from(1);
    MPI_Request sum = MPI_REQUEST_NULL;
    CHECK_MPI(MPI_Allreduce_init(to.data(), from.data(), 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD,
                                 MPI_INFO_NULL, &sum));
    for (int round = 0; round < rounds; ++round) {
        CHECK_MPI(MPI_Barrier(MPI_COMM_WORLD));
        if (rank_of() != 0) usleep(3000);
        CHECK_MPI(MPI_Start(&sum));
        yields_of_round = 0;
        counts = rank_of() == 0;
        CHECK_MPI(MPI_Wait(&sum, MPI_STATUS_IGNORE));
        counts = false;
    }
    free_request(sum);
    CAPTURE(polls, yields);
    if (rank_of() == 0) {
        CHECK(polls >= rounds / 2);
        CHECK(2 * yields > 3 * polls);
    }
}
