// SPDX-License-Identifier: BSD-3-Clause
// Who has no messages over the network itself and waits for a mate that has: asleep, where a yield
// does not give the core to that mate, and awake where it does. Run with MPIX_YIELD=1 on two nodes
// of which each has fewer cores than ranks.
#include "common/plans.hpp"

#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <vector>

using namespace mpitest;

namespace {

constexpr int rounds = 40;
thread_local bool counts = false; // the host has threads of its own
thread_local int yields = 0;

// The kernel shares the cores out among sessions, where it is told to.
bool is_session_of_its_own() {
    int shares = 0;
    std::ifstream("/proc/sys/kernel/sched_autogroup_enabled") >> shares;
    return shares != 0 && getsid(0) == getpid();
}

// The first rank comes late, but not so late that somebody gives up sleeping. Of rounds in the
// middle, yields of this rank.
int yields_for_late_rank(Sum& sum) {
    std::vector<int> of_rounds;
    for (int round = 0; round < rounds; ++round) {
        CHECK_MPI(MPI_Barrier(MPI_COMM_WORLD));
        const auto begin = std::chrono::steady_clock::now();
        while (rank_of() == 0 &&
               std::chrono::steady_clock::now() - begin < std::chrono::microseconds(200))
            continue;
        sum.start(round);
        yields = 0;
        counts = true;
        sum.wait();
        counts = false;
        of_rounds.push_back(yields);
    }
    std::ranges::nth_element(of_rounds, of_rounds.begin() + rounds / 2);
    return of_rounds[rounds / 2];
}

} // namespace

// Before that of the C library.
extern "C" [[gnu::visibility("default")]] int sched_yield() noexcept {
    if (counts) ++yields;
    return static_cast<int>(syscall(SYS_sched_yield));
}

TEST_CASE("who waits for a mate's messages sleeps where a yield is in vain") {
    Sum sum(MPI_COMM_WORLD);
    const int yields_of_round = yields_for_late_rank(sum);
    CAPTURE(yields_of_round, is_session_of_its_own());
    if (rank_of() != size_of() - 1) return; // the last is no leader
    if (is_session_of_its_own())
        CHECK(yields_of_round <= 3);
    else
        CHECK(yields_of_round > 3);
}

TEST_CASE("who sleeps for a mate still answers a message of the host's") {
    Sum sum(MPI_COMM_WORLD);
    const int me = rank_of(), ranks = size_of();
    for (int round = 0; round < 5; ++round) {
        std::vector<int> large(100'000, me), received(large.size(), -1);
        MPI_Request messages[2];
        CHECK_MPI(MPI_Irecv(received.data(), 100'000, MPI_INT, (me + ranks - 1) % ranks, 7,
                            MPI_COMM_WORLD, &messages[0]));
        CHECK_MPI(MPI_Isend(large.data(), 100'000, MPI_INT, (me + 1) % ranks, 7, MPI_COMM_WORLD,
                            &messages[1]));
        if (me == 0) CHECK_MPI(MPI_Waitall(2, messages, MPI_STATUSES_IGNORE)); // before it starts
        sum.start(round);
        sum.wait();
        if (me != 0) CHECK_MPI(MPI_Waitall(2, messages, MPI_STATUSES_IGNORE));
        CHECK(received == std::vector<int>(large.size(), (me + ranks - 1) % ranks));
    }
}
