// SPDX-License-Identifier: BSD-3-Clause
// A checked persistent sum on any communicator, for tests in which communicators come and go.
#pragma once

#include "common/check.hpp"

#include <vector>

namespace mpitest {

// Owns its request, not the communicator.
class Sum {
  public:
    explicit Sum(MPI_Comm comm) : rank_(rank_of(comm)), ranks_(size_of(comm)) {
        CHECK_MPI(
            MPI_Allreduce_init(&in_, &out_, 1, MPI_INT, MPI_SUM, comm, MPI_INFO_NULL, &request));
    }
    Sum(const Sum&) = delete;
    Sum& operator=(const Sum&) = delete;
    ~Sum() {
        if (request != MPI_REQUEST_NULL) free_request(request);
    }

    void start(int round) {
        round_ = round;
        in_ = round + rank_;
        out_ = -1;
        CHECK_MPI(MPI_Start(&request));
    }
    void check() const { CHECK(out_ == round_ * ranks_ + ranks_ * (ranks_ - 1) / 2); }
    void wait() {
        CHECK_MPI(MPI_Wait(&request, MPI_STATUS_IGNORE));
        check();
    }
    void run(int rounds) {
        for (int round = 0; round < rounds; round++) {
            start(round);
            wait();
        }
    }

    MPI_Request request = MPI_REQUEST_NULL;

  private:
    int rank_, ranks_, round_ = 0;
    int in_ = 0, out_ = -1;
};

// A long message of the host's to the next rank, which the first has before it runs the sum, and
// the others after.
template<class RunSum>
void exchange_around(RunSum run_sum) {
    const int me = rank_of(), ranks = size_of(), previous = (me + ranks - 1) % ranks;
    std::vector<int> large(100'000, me), received(large.size(), -1);
    MPI_Request messages[2];
    CHECK_MPI(
        MPI_Irecv(received.data(), 100'000, MPI_INT, previous, 7, MPI_COMM_WORLD, &messages[0]));
    CHECK_MPI(MPI_Isend(large.data(), 100'000, MPI_INT, (me + 1) % ranks, 7, MPI_COMM_WORLD,
                        &messages[1]));
    if (me == 0) CHECK_MPI(MPI_Waitall(2, messages, MPI_STATUSES_IGNORE));
    run_sum();
    if (me != 0) CHECK_MPI(MPI_Waitall(2, messages, MPI_STATUSES_IGNORE));
    CHECK(received == std::vector<int>(large.size(), previous));
}

inline MPI_Comm duplicate(MPI_Comm comm = MPI_COMM_WORLD) {
    MPI_Comm copy = MPI_COMM_NULL;
    CHECK_MPI(MPI_Comm_dup(comm, &copy));
    return copy;
}

inline void free_comm(MPI_Comm& comm) {
    CHECK_MPI(MPI_Comm_free(&comm));
    CHECK(comm == MPI_COMM_NULL);
}

} // namespace mpitest
