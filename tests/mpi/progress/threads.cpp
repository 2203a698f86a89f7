// SPDX-License-Identifier: BSD-3-Clause
//
// MPI_THREAD_MULTIPLE: threads init, start, complete and free plans at once, each on a communicator
// of its own; a thread waits while another starts; several wait for any of their own requests. Exit
// code 1 where a value is wrong. (No test framework: it is not made for threads.)
#define OMPI_SKIP_MPICXX 1
#define MPICH_SKIP_MPICXX 1
#include "mpix/mpix.h"

#include <array>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <thread>
#include <unistd.h>
#include <vector>

namespace {

constexpr int threads = 3;
int rank = 0, ranks = 1;
std::atomic<int> wrong{0};

void check(bool right, const char* what) {
    if (right) return;
    if (wrong++ == 0) std::fprintf(stderr, "rank %d: wrong: %s\n", rank, what);
}

int sum_of_ranks(int addend) { return ranks * (ranks - 1) / 2 + ranks * addend; }

// A sum that knows its answer.
class Sum {
  public:
    Sum(MPI_Comm comm, std::size_t elements) : in_(elements), out_(elements) {
        MPI_Allreduce_init(in_.data(), out_.data(), static_cast<int>(elements), MPI_INT, MPI_SUM,
                           comm, MPI_INFO_NULL, &request);
    }
    Sum(const Sum&) = delete;
    Sum& operator=(const Sum&) = delete;
    ~Sum() { MPI_Request_free(&request); }

    void start(int addend) {
        addend_ = addend;
        in_.assign(in_.size(), rank + addend);
        MPI_Start(&request);
    }
    void check_answer(const char* what) const {
        const int sum = sum_of_ranks(addend_);
        check(out_.front() == sum && out_.back() == sum, what);
    }

    MPI_Request request = MPI_REQUEST_NULL;

  private:
    std::vector<int> in_, out_;
    int addend_ = 0;
};

void in_threads(const std::function<void(int thread)>& work) {
    std::vector<std::jthread> workers;
    for (int i = 0; i < threads; ++i) workers.emplace_back(work, i);
}

std::size_t elements_for(int plan) { return plan % 2 == 0 ? 1 : 20'000; }

// Init, start, complete and free, each thread on its own communicator.
void make_and_free(const std::array<MPI_Comm, threads>& comms) {
    in_threads([&](int thread) {
        for (int plan = 0; plan < 20; ++plan) {
            Sum sum(comms[static_cast<std::size_t>(thread)], elements_for(plan));
            for (int round = 0; round < 10; ++round) {
                sum.start(thread + round);
                MPI_Wait(&sum.request, MPI_STATUS_IGNORE);
                sum.check_answer("a sum in its own thread");
            }
        }
    });
}

// One thread waits while the others start: its plan comes last on the other ranks.
void wait_while_others_start(const std::array<MPI_Comm, threads>& comms) {
    Sum first(comms[0], 20'000), second(comms[1], 20'000), third(comms[2], 1);
    for (int round = 0; round < 20; ++round) {
        std::jthread waiting([&] {
            first.start(round);
            MPI_Wait(&first.request, MPI_STATUS_IGNORE);
            first.check_answer("a sum that was waited for while others started");
        });
        for (Sum* sum : {&second, &third}) {
            sum->start(round);
            int done = 0;
            while (!done) MPI_Test(&sum->request, &done, MPI_STATUS_IGNORE);
            sum->check_answer("a sum that was started while another was waited for");
        }
    }
}

// Waitany, Waitsome and Waitall in several threads, on requests that no two share, with a message
// of the host's among them.
void wait_for_any(const std::array<MPI_Comm, threads>& comms) {
    in_threads([&](int thread) {
        const MPI_Comm comm = comms[static_cast<std::size_t>(thread)];
        Sum small(comm, 1), large(comm, 20'000);
        for (int round = 0; round < 20; ++round) {
            int out = round, in = -1;
            std::array<MPI_Request, 4> requests{small.request, MPI_REQUEST_NULL, large.request,
                                                MPI_REQUEST_NULL};
            small.start(round);
            large.start(round + 1);
            MPI_Irecv(&in, 1, MPI_INT, (rank + ranks - 1) % ranks, 7, comm, &requests[1]);
            MPI_Isend(&out, 1, MPI_INT, (rank + 1) % ranks, 7, comm, &requests[3]);
            int completed = 0, found = 0;
            std::array<int, 4> which{};
            while (round % 3 == 0 && completed < 4) {
                MPI_Waitany(4, requests.data(), &found, MPI_STATUS_IGNORE);
                ++completed;
            }
            while (round % 3 == 1 && completed < 4) {
                MPI_Waitsome(4, requests.data(), &found, which.data(), MPI_STATUSES_IGNORE);
                completed += found;
            }
            if (round % 3 == 2) MPI_Waitall(4, requests.data(), MPI_STATUSES_IGNORE);
            small.check_answer("a small sum among several requests");
            large.check_answer("a large sum among several requests");
            check(in == round, "a message among several requests");
        }
    });
}

// One thread blocks in a host call that another rank answers only when its plan is complete.
void block_in_a_host_call(const std::array<MPI_Comm, threads>& comms) {
    std::vector<int> data(20'000);
    MPI_Request bcast = MPI_REQUEST_NULL;
    MPI_Bcast_init(data.data(), 20'000, MPI_INT, 0, comms[0], MPI_INFO_NULL, &bcast);
    for (int round = 0; round < 5; ++round) {
        data.assign(data.size(), rank == 0 ? round : -1);
        MPI_Start(&bcast);
        int word = round;
        if (rank == ranks - 1) {
            MPI_Wait(&bcast, MPI_STATUS_IGNORE);
            for (int r = 0; r < ranks - 1; ++r) MPI_Send(&word, 1, MPI_INT, r, 5, comms[1]);
        } else {
            MPI_Recv(&word, 1, MPI_INT, ranks - 1, 5, comms[1], MPI_STATUS_IGNORE);
            MPI_Wait(&bcast, MPI_STATUS_IGNORE);
        }
        check(data.front() == round && data.back() == round, "a broadcast past a blocked rank");
    }
    MPI_Request_free(&bcast);
}

} // namespace

int main(int argc, char** argv) {
    const char* limit = std::getenv("MPIX_TEST_LIMIT");
    alarm(limit ? static_cast<unsigned>(std::atoi(limit)) : 60);
    int level = MPI_THREAD_SINGLE;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    check(level == MPI_THREAD_MULTIPLE, "the thread level");
    std::array<MPI_Comm, threads> comms;
    for (MPI_Comm& comm : comms) MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    make_and_free(comms);
    wait_while_others_start(comms);
    wait_for_any(comms);
    block_in_a_host_call(comms);
    for (MPI_Comm& comm : comms) MPI_Comm_free(&comm);
    int all = 0, mine = wrong;
    MPI_Allreduce(&mine, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Finalize();
    return all != 0;
}
