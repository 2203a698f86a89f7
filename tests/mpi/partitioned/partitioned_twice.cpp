// SPDX-License-Identifier: BSD-3-Clause
//
// Two threads mark the same partitions at the same time, which is erroneous: for each of them one
// is told so, and the other's mark counts. Exit code 1 where it is otherwise. (No test framework:
// it is not made for threads.)
#define OMPI_SKIP_MPICXX 1
#define MPICH_SKIP_MPICXX 1
#include "mpix/mpix.h"

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <thread>
#include <unistd.h>
#include <vector>

namespace {

int rank = 0, ranks = 1;
std::atomic<int> wrong{0};

void expect(bool is_right, const char* what) {
    if (is_right) return;
    if (++wrong < 10) std::fprintf(stderr, "rank %d: %s\n", rank, what);
}

// One of two, each of which waits until the other is there.
void mark_all(MPI_Request request, int partitions, bool by_range, std::atomic<int>& there,
              std::atomic<int>& refused) {
    ++there;
    while (there < 2) std::this_thread::yield();
    if (by_range) {
        refused += MPI_Pready_range(0, partitions - 1, request) != MPI_SUCCESS;
        return;
    }
    for (int p = 0; p < partitions; ++p) {
        const int code = MPI_Pready(p, request);
        int error_class = MPI_SUCCESS;
        if (code != MPI_SUCCESS) MPI_Error_class(code, &error_class);
        expect(code == MPI_SUCCESS || error_class == MPI_ERR_ARG || error_class == MPI_ERR_REQUEST,
               "another error than that of a second mark");
        refused += code != MPI_SUCCESS;
    }
}

void run(int partitions, int words, bool by_range) {
    const auto all = static_cast<std::size_t>(partitions * words);
    std::vector<int> out(all), in(all);
    MPI_Request requests[2];
    MPI_Precv_init(in.data(), partitions, words, MPI_INT, (rank + ranks - 1) % ranks, 1,
                   MPI_COMM_WORLD, MPI_INFO_NULL, &requests[0]);
    MPI_Psend_init(out.data(), partitions, words, MPI_INT, (rank + 1) % ranks, 1, MPI_COMM_WORLD,
                   MPI_INFO_NULL, &requests[1]);
    for (int round = 0; round < 20; ++round) {
        for (std::size_t i = 0; i < all; ++i) out[i] = static_cast<int>(i) + round;
        MPI_Startall(2, requests);
        std::atomic<int> there{0}, refused{0};
        std::thread other([&] { mark_all(requests[1], partitions, by_range, there, refused); });
        mark_all(requests[1], partitions, by_range, there, refused);
        other.join();
        expect(by_range ? refused == 1 || refused == 2 : refused == partitions,
               "not each second mark was refused");
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
        for (std::size_t i = 0; i < all; ++i)
            expect(in[i] == static_cast<int>(i) + round, "wrong data");
    }
    MPI_Request_free(&requests[0]);
    MPI_Request_free(&requests[1]);
}

} // namespace

int main(int argc, char** argv) {
    const char* const limit = std::getenv("MPIX_TEST_LIMIT");
    alarm(limit ? static_cast<unsigned>(std::atoi(limit)) : 60);
    int level = MPI_THREAD_SINGLE;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    expect(level == MPI_THREAD_MULTIPLE, "no threads");
    for (const bool by_range : {false, true})
        for (const int partitions : {1, 2, 9, 200})
            for (const int words : {1, 5'000}) run(partitions, words, by_range);
    int all = 0, mine = wrong;
    MPI_Allreduce(&mine, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Finalize();
    return all != 0;
}
