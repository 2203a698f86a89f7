// SPDX-License-Identifier: BSD-3-Clause
// With MPIX_WAIT=park a rank that waits long sleeps, and is woken: for an answer within the node as
// for a message of the host's.
#include "common/plans.hpp"

#include <sys/resource.h>

#include <chrono>
#include <thread>

using namespace mpitest;
using namespace std::chrono_literals;

namespace {

double seconds(const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
}

double used_by_thread() {
    rusage used{};
    getrusage(RUSAGE_THREAD, &used);
    return seconds(used.ru_utime) + seconds(used.ru_stime);
}

// Rank 0 comes late. Returns the time that the others computed.
double sum_with_late_rank(Sum& sum, int round, std::chrono::milliseconds late) {
    if (rank_of() == 0) std::this_thread::sleep_for(late);
    const double before = used_by_thread();
    sum.start(round);
    sum.wait();
    return used_by_thread() - before;
}

} // namespace

TEST_CASE("who waits long does not compute") {
    Sum sum(MPI_COMM_WORLD);
    CHECK(sum_with_late_rank(sum, 0, 400ms) < 0.2);
}

TEST_CASE("who sleeps is woken each time") {
    Sum sum(MPI_COMM_WORLD);
    for (int round = 0; round < 100; round++) sum_with_late_rank(sum, round, round % 2 ? 3ms : 0ms);
}

TEST_CASE("who sleeps still answers a message of the host's") {
    Sum sum(MPI_COMM_WORLD);
    exchange_around([&] { sum_with_late_rank(sum, 0, 0ms); });
}
