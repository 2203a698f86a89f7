// SPDX-License-Identifier: BSD-3-Clause
// While two ranks measure the network between their nodes the others sleep: who takes turns with
// them on a core is part of what they measure. Run between two nodes, with MPIX_YIELD=1.
#include "common/plans.hpp"

#include <sys/syscall.h>
#include <unistd.h>

#include <ctime>

using namespace mpitest;

namespace {

constexpr long long_enough = 500'000; // nanoseconds, not to disturb
thread_local int long_sleeps = 0;     // the host has threads of its own

int ranks_of_own_node() {
    MPI_Comm node = MPI_COMM_NULL;
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
    int ranks = 0;
    MPI_Comm_size(node, &ranks);
    MPI_Comm_free(&node);
    return ranks;
}

} // namespace

// Before that of the C library.
extern "C" [[gnu::visibility("default")]] int nanosleep(const timespec* time, timespec* left) {
    if (time->tv_sec > 0 || time->tv_nsec >= long_enough) ++long_sleeps;
    return static_cast<int>(syscall(SYS_nanosleep, time, left));
}

TEST_CASE("who does not measure sleeps") {
    const int mates = ranks_of_own_node(), rank = rank_of();
    REQUIRE(mates * 2 == size_of());
    long_sleeps = 0;
    MPI_Request request = MPI_REQUEST_NULL;
    CHECK_MPI(MPI_Barrier_init(MPI_COMM_WORLD, MPI_INFO_NULL, &request));
    CHECK_MPI(MPI_Start(&request)); // it may be planned by then alone
    CHECK_MPI(MPI_Wait(&request, MPI_STATUS_IGNORE));
    const int sleeps = long_sleeps;
    free_request(request);
    CAPTURE(rank, mates);
    const bool measures = rank % mates == 0;
    if (measures)
        CHECK(sleeps == 0);
    else
        CHECK(sleeps >= 2); // of a millisecond each, of 15
}
