// SPDX-License-Identifier: BSD-3-Clause
//
// MPI_THREAD_MULTIPLE: threads start and complete bundles of their own at once, while functions of
// the program in all of them are called by whoever moves them; threads mark partitions of a member
// that waits for its turn. Exit code 1 where a value is wrong. (No test framework: it is not made
// for threads.)
#define OMPI_SKIP_MPICXX 1
#define MPICH_SKIP_MPICXX 1
#include "mpix/mpix.h"

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <thread>
#include <unistd.h>
#include <vector>

namespace {

constexpr int threads = 3, rounds = 100, partitions = 24;
int rank = 0, ranks = 1;
std::atomic<int> wrong{0};
std::atomic<int> within{0}; // functions that are being called

void check(bool right, const char* what) {
    if (right) return;
    if (wrong++ == 0) std::fprintf(stderr, "rank %d: wrong: %s\n", rank, what);
}

void in_threads(const std::function<void(int thread)>& work) {
    std::vector<std::thread> all;
    for (int thread = 0; thread < threads; ++thread) all.emplace_back(work, thread);
    for (std::thread& one : all) one.join();
}

// Its rounds end at the third poll, or when it is let go.
struct Task {
    Task() {
        MPIX_Pgrequest_init(
            [](void* state) -> int {
                static_cast<Task*>(state)->polls = 0;
                return MPI_SUCCESS;
            },
            [](void* state, int* flag) { return static_cast<Task*>(state)->poll(flag); }, nullptr,
            nullptr, nullptr, this, &request);
    }
    Task(const Task&) = delete;
    Task& operator=(const Task&) = delete;
    ~Task() { MPI_Request_free(&request); }

    int poll(int* flag) {
        check(within++ == 0, "two functions at once");
        *flag = ++polls >= 3 && !is_held;
        rounds_done += *flag;
        --within;
        return MPI_SUCCESS;
    }

    std::atomic<bool> is_held{false};
    std::atomic<int> polls{0}, rounds_done{0};
    MPI_Request request = MPI_REQUEST_NULL;
};

void run_bundles(MPI_Comm comm, int thread) {
    int in = 0, sum = -1, sent = 0, received = -1;
    Task task;
    MPI_Request members[4], bundle;
    MPI_Allreduce_init(&in, &sum, 1, MPI_INT, MPI_SUM, comm, MPI_INFO_NULL, &members[0]);
    MPI_Recv_init(&received, 1, MPI_INT, (rank + ranks - 1) % ranks, 1, comm, &members[1]);
    MPI_Send_init(&sent, 1, MPI_INT, (rank + 1) % ranks, 1, comm, &members[2]);
    members[3] = task.request;
    MPIX_Bundle_init(4, members, MPI_INFO_NULL, &bundle);
    MPIX_Bundle_after(bundle, 0, 3);
    for (int round = 0; round < rounds; ++round) {
        in = sent = round * threads + thread;
        MPI_Start(&bundle);
        MPI_Wait(&bundle, MPI_STATUS_IGNORE);
        check(sum == in * ranks, "a sum");
        check(received == in, "a message");
        check(task.rounds_done == round + 1, "rounds of a function");
    }
    MPI_Request_free(&bundle);
    for (int i = 0; i < 3; ++i) MPI_Request_free(&members[i]);
}

void mark_members() {
    std::vector<int> in(partitions), out(partitions);
    Task gate;
    MPI_Request members[2], bundle;
    MPIX_Pallreduce_init(in.data(), out.data(), partitions, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD,
                         MPI_INFO_NULL, &members[0]);
    members[1] = gate.request;
    MPIX_Bundle_init(2, members, MPI_INFO_NULL, &bundle);
    MPIX_Bundle_after(bundle, 0, 1);
    for (int round = 0; round < rounds; ++round) {
        gate.is_held = round % 2 == 0;
        MPI_Start(&bundle);
        std::thread waiter([&] { MPI_Wait(&bundle, MPI_STATUS_IGNORE); });
        in_threads([&](int thread) {
            for (int p = thread; p < partitions; p += threads) {
                in[static_cast<std::size_t>(p)] = round + p;
                MPI_Pready(p, members[0]);
                if (p == partitions / 2) gate.is_held = false;
            }
        });
        waiter.join();
        for (int p = 0; p < partitions; ++p)
            check(out[static_cast<std::size_t>(p)] == (round + p) * ranks, "a marked sum");
    }
    MPI_Request_free(&bundle);
    MPI_Request_free(&members[0]);
}

} // namespace

int main(int argc, char** argv) {
    int provided = MPI_THREAD_SINGLE;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    if (provided < MPI_THREAD_MULTIPLE) std::exit(2);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const char* limit = std::getenv("MPIX_TEST_LIMIT");
    alarm(limit ? static_cast<unsigned>(std::atoi(limit)) : 60);
    std::vector<MPI_Comm> comms(threads);
    for (MPI_Comm& comm : comms) MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    in_threads([&](int thread) { run_bundles(comms[static_cast<std::size_t>(thread)], thread); });
    for (MPI_Comm& comm : comms) MPI_Comm_free(&comm);
    mark_members();
    int failed = wrong, failed_anywhere = 1;
    MPI_Allreduce(&failed, &failed_anywhere, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    MPI_Finalize();
    return failed_anywhere != 0;
}
