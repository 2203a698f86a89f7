// SPDX-License-Identifier: BSD-3-Clause
//
// MPI_THREAD_MULTIPLE: one thread makes and frees partitioned sends while another takes what the
// receivers, who come and go too, tell them; then a pair is used. Run with freed memory overwritten
// or under a thread sanitizer. Exit code 1 where a value is wrong. (No test framework: it is not
// made for threads.)
#define OMPI_SKIP_MPICXX 1
#define MPICH_SKIP_MPICXX 1
#include "mpix/mpix.h"

#include <array>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <thread>
#include <unistd.h>

namespace {

int rank = 0, ranks = 1, times = 3'000;

int next() { return (rank + 1) % ranks; }
int previous() { return (rank + ranks - 1) % ranks; }

MPI_Request make(bool sends, int* buffer) {
    MPI_Request request = MPI_REQUEST_NULL;
    if (sends)
        MPI_Psend_init(buffer, 2, 1, MPI_INT, next(), 0, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
    else
        MPI_Precv_init(buffer, 1, 2, MPI_INT, previous(), 0, MPI_COMM_WORLD, MPI_INFO_NULL,
                       &request);
    return request;
}

// The sends wait for the receives a little, more or less each time.
void make_and_free(bool sends) {
    std::array<int, 2> buffer{};
    for (int i = 0; i < times; ++i) {
        MPI_Request request = make(sends, buffer.data());
        if (sends)
            for (int turn = 0; turn < i % 50; ++turn) std::this_thread::yield();
        MPI_Request_free(&request);
    }
}

void come_and_go() {
    std::atomic<int> at_work{2};
    const auto work = [&at_work](bool sends) {
        make_and_free(sends);
        --at_work;
    };
    const std::jthread sender(work, true), receiver(work, false);
    while (at_work > 0) {
        int flag = 0;
        MPI_Iprobe(MPI_ANY_SOURCE, 5, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
        std::this_thread::yield();
    }
}

bool use_pair() {
    std::array<int, 2> out{rank, rank + 1}, in{-1, -1};
    std::array<MPI_Request, 2> pair{make(true, out.data()), make(false, in.data())};
    MPI_Startall(2, pair.data());
    MPI_Pready_range(0, 1, pair[0]);
    MPI_Waitall(2, pair.data(), MPI_STATUSES_IGNORE);
    for (MPI_Request& request : pair) MPI_Request_free(&request);
    return in[0] == previous() && in[1] == previous() + 1;
}

} // namespace

int main(int argc, char** argv) {
    const char* limit = std::getenv("MPIX_TEST_LIMIT");
    alarm(limit ? static_cast<unsigned>(std::atoi(limit)) : 60);
    if (argc > 1) times = std::atoi(argv[1]);
    int level = MPI_THREAD_SINGLE;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    come_and_go();
    MPI_Barrier(MPI_COMM_WORLD);
    int wrong = level != MPI_THREAD_MULTIPLE || !use_pair(), all = 0;
    if (wrong) std::fprintf(stderr, "rank %d: wrong\n", rank);
    MPI_Allreduce(&wrong, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Finalize();
    return all != 0;
}
