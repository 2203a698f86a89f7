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
using namespace std::chrono_literals;

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

// Of a quarter of the rounds, at most so many yields of this rank, while it waits for the first.
int yields_for_late_rank(Sum& sum, std::chrono::microseconds late) {
    std::vector<int> of_rounds;
    for (int round = 0; round < rounds; ++round) {
        CHECK_MPI(MPI_Barrier(MPI_COMM_WORLD));
        const auto begin = std::chrono::steady_clock::now();
        while (rank_of() == 0 && std::chrono::steady_clock::now() - begin < late) continue;
        sum.start(round);
        yields = 0;
        counts = true;
        sum.wait();
        counts = false;
        of_rounds.push_back(yields);
    }
    std::ranges::nth_element(of_rounds, of_rounds.begin() + rounds / 4);
    return of_rounds[rounds / 4];
}

bool is_leader() { return rank_of() != size_of() - 1; } // or may be one

} // namespace

// Before that of the C library.
extern "C" [[gnu::visibility("default")]] int sched_yield() noexcept {
    if (counts) ++yields;
    return static_cast<int>(syscall(SYS_sched_yield));
}

TEST_CASE("who waits for a mate's messages sleeps where a yield is in vain") {
    Sum sum(MPI_COMM_WORLD);
    int few = yields_for_late_rank(sum, 200us);
    for (int again = 0; again < 2; ++again) { // who has lost the core for long stays awake
        for (int round = 0; round < 4100; ++round) {
            sum.start(round);
            sum.wait();
        }
        few = std::min(few, yields_for_late_rank(sum, 200us));
    }
    CAPTURE(few);
    if (!is_leader() && is_session_of_its_own()) CHECK(few <= 3);
}

TEST_CASE("who sleeps for a mate still answers a message of the host's") {
    Sum sum(MPI_COMM_WORLD);
    for (int round = 0; round < 5; ++round)
        exchange_around([&] {
            sum.start(round);
            sum.wait();
        });
}

// The last: who has slept in vain stays awake.
TEST_CASE("who waits long for a mate yields") {
    Sum sum(MPI_COMM_WORLD);
    const int many = yields_for_late_rank(sum, 25ms); // two ticks of the slowest clock
    CAPTURE(many);
    if (!is_leader()) CHECK(many > 10);
}
