// SPDX-License-Identifier: BSD-3-Clause
//
// MPI_THREAD_MULTIPLE: threads init, start, complete and free plans at once, each on a communicator
// of its own. Exit code 1 where a sum is wrong. (No test framework: it is not made for threads.)
#define OMPI_SKIP_MPICXX 1
#define MPICH_SKIP_MPICXX 1
#include "mpix/mpix.h"

#include <atomic>
#include <thread>
#include <vector>

namespace {

constexpr int threads = 3;
std::atomic<int> wrong{0};

void work(MPI_Comm comm, int thread) {
    int rank = 0, ranks = 1;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ranks);
    for (int plan = 0; plan < 20; ++plan) {
        std::vector<int> in(1 + static_cast<std::size_t>(plan % 2) * 20'000), out(in.size());
        MPI_Request request = MPI_REQUEST_NULL;
        MPI_Allreduce_init(in.data(), out.data(), static_cast<int>(in.size()), MPI_INT, MPI_SUM,
                           comm, MPI_INFO_NULL, &request);
        for (int round = 0; round < 10; ++round) {
            in.assign(in.size(), rank + thread + round);
            MPI_Start(&request);
            MPI_Wait(&request, MPI_STATUS_IGNORE);
            const int sum = ranks * (ranks - 1) / 2 + ranks * (thread + round);
            if (out.front() != sum || out.back() != sum) ++wrong;
        }
        MPI_Request_free(&request);
    }
}

} // namespace

int main(int argc, char** argv) {
    int level = MPI_THREAD_SINGLE;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    if (level == MPI_THREAD_MULTIPLE) {
        std::vector<MPI_Comm> comms(threads);
        for (MPI_Comm& comm : comms) MPI_Comm_dup(MPI_COMM_WORLD, &comm);
        std::vector<std::jthread> workers;
        for (int i = 0; i < threads; ++i)
            workers.emplace_back(work, comms[static_cast<std::size_t>(i)], i);
        workers.clear(); // joins
        for (MPI_Comm& comm : comms) MPI_Comm_free(&comm);
    }
    int all = 0, mine = wrong;
    MPI_Allreduce(&mine, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Finalize();
    return all != 0;
}
