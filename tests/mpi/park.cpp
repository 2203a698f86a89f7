// SPDX-License-Identifier: BSD-3-Clause
// With MPIX_WAIT=park a rank that waits long sleeps, and is woken: for an answer within the node as
// for a message of the host's.
#include "check.hpp"

#include <sys/resource.h>

#include <chrono>
#include <thread>
#include <vector>

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

struct Sum {
    Sum() {
        CHECK_MPI(MPI_Allreduce_init(&in, &out, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL,
                                     &request));
    }
    ~Sum() { free_request(request); }

    int in = 0, out = -1;
    MPI_Request request = MPI_REQUEST_NULL;
};

// Sums a number of every rank; rank 0 comes late. Returns the time that the others computed.
double sum_with_late_rank(Sum& sum, int expected, std::chrono::milliseconds late) {
    if (rank_of() == 0) std::this_thread::sleep_for(late);
    const double before = used_by_thread();
    CHECK_MPI(MPI_Start(&sum.request));
    CHECK_MPI(MPI_Wait(&sum.request, MPI_STATUS_IGNORE));
    CHECK(sum.out == expected);
    return used_by_thread() - before;
}

} // namespace

TEST_CASE("who waits long does not compute") {
    Sum sum;
    sum.in = rank_of();
    const int ranks = size_of();
    const double used = sum_with_late_rank(sum, ranks * (ranks - 1) / 2, 400ms);
    CHECK(used < 0.2);
}

TEST_CASE("who sleeps is woken each time") {
    Sum sum;
    const int me = rank_of(), ranks = size_of();
    for (int round = 0; round < 100; round++) {
        sum.in = round + me;
        sum_with_late_rank(sum, ranks * round + ranks * (ranks - 1) / 2, round % 2 ? 3ms : 0ms);
    }
}

TEST_CASE("who sleeps still answers a message of the host's") {
    Sum sum;
    const int me = rank_of(), ranks = size_of();
    std::vector<int> large(100'000, me), received(large.size(), -1);
    MPI_Request messages[2];
    CHECK_MPI(MPI_Irecv(received.data(), 100'000, MPI_INT, (me + ranks - 1) % ranks, 7,
                        MPI_COMM_WORLD, &messages[0]));
    CHECK_MPI(MPI_Isend(large.data(), 100'000, MPI_INT, (me + 1) % ranks, 7, MPI_COMM_WORLD,
                        &messages[1]));
    sum.in = me;
    if (me == 0) CHECK_MPI(MPI_Waitall(2, messages, MPI_STATUSES_IGNORE)); // before it starts
    sum_with_late_rank(sum, ranks * (ranks - 1) / 2, 0ms);
    if (me != 0) CHECK_MPI(MPI_Waitall(2, messages, MPI_STATUSES_IGNORE));
    CHECK(received == std::vector<int>(large.size(), (me + ranks - 1) % ranks));
}
