// SPDX-License-Identifier: BSD-3-Clause
// How often the network is asked before the core is given away, where plans have messages of the
// host and within the node: once where all ranks wait for each other, so that each is to have the
// core as soon as it can; oftener where some only send. Run with MPIX_YIELD=1 on two nodes.
#include "common/plans.hpp"

#include <poll.h>
#include <sys/epoll.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <vector>

using namespace mpitest;

namespace {

constexpr int rounds = 20;
thread_local bool counts = false; // the host has threads of its own
thread_local int polls = 0;

// By the first rank, that all others keep waiting.
int polls_before_yield(MPI_Request& request) {
    polls = 0;
    for (int round = 0; round < rounds; ++round) {
        CHECK_MPI(MPI_Barrier(MPI_COMM_WORLD));
        if (rank_of() != 0) usleep(3000);
        CHECK_MPI(MPI_Start(&request));
        counts = rank_of() == 0;
        CHECK_MPI(MPI_Wait(&request, MPI_STATUS_IGNORE));
        counts = false;
    }
    free_request(request);
    return polls;
}

} // namespace

// Before those of the C library.
extern "C" {
[[gnu::visibility("default")]] int sched_yield() noexcept {
    counts = false;
    return static_cast<int>(syscall(SYS_sched_yield));
}
[[gnu::visibility("default")]] int poll(pollfd* of, nfds_t count, int milliseconds) {
    if (counts) ++polls;
    return static_cast<int>(syscall(SYS_poll, of, count, milliseconds));
}
[[gnu::visibility("default")]] int epoll_wait(int set, epoll_event* events, int most,
                                              int milliseconds) {
    if (counts) ++polls;
    return static_cast<int>(syscall(SYS_epoll_wait, set, events, most, milliseconds));
}
}

TEST_CASE("one look before a yield where all wait for each other") {
    const int ranks = size_of(), periodic = 1;
    std::vector<double> to(2), from(static_cast<std::size_t>(ranks));
    MPI_Comm ring = MPI_COMM_NULL;
    CHECK_MPI(MPI_Cart_create(MPI_COMM_WORLD, 1, &ranks, &periodic, 0, &ring));
    MPI_Request exchange = MPI_REQUEST_NULL, gather = MPI_REQUEST_NULL;
    CHECK_MPI(MPI_Neighbor_alltoall_init(to.data(), 1, MPI_DOUBLE, from.data(), 1, MPI_DOUBLE, ring,
                                         MPI_INFO_NULL, &exchange));
    CHECK_MPI(MPI_Gather_init(to.data(), 1, MPI_DOUBLE, from.data(), 1, MPI_DOUBLE, 0,
                              MPI_COMM_WORLD, MPI_INFO_NULL, &gather));
    const int of_exchange = polls_before_yield(exchange), of_gather = polls_before_yield(gather);
    CAPTURE(of_exchange, of_gather);
    if (rank_of() == 0) {
        CHECK(of_exchange >= rounds / 2);
        CHECK(of_gather > of_exchange + rounds / 2);
    }
    MPI_Comm_free(&ring);
}
