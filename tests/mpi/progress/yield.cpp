// SPDX-License-Identifier: BSD-3-Clause
// More ranks than cores: whoever waits must let the others run, or two thousand small sums take
// many seconds. Nothing is timed here; the time limit of the run is the test. The host's own calls
// come first, when there has been no plan yet.
#include "common/check.hpp"

using namespace mpitest;

TEST_CASE("two thousand sums of the host's finish") {
    const int me = rank_of(), ranks = size_of();
    int wrong = 0;
    for (int round = 0; round < 2000; round++) {
        const int in = round + me;
        int out = -1;
        MPI_Allreduce(&in, &out, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
        wrong += out != round * ranks + ranks * (ranks - 1) / 2;
    }
    CHECK(wrong == 0);
}

TEST_CASE("two thousand barriers of the host's finish") {
    int wrong = 0;
    for (int round = 0; round < 2000; round++) wrong += MPI_Barrier(MPI_COMM_WORLD) != MPI_SUCCESS;
    CHECK(wrong == 0);
}

TEST_CASE("two thousand exchanges round the ring finish") {
    const int me = rank_of(), ranks = size_of();
    const int left = (me + ranks - 1) % ranks, right = (me + 1) % ranks;
    int wrong = 0;
    for (int round = 0; round < 2000; round++) {
        const int out = round + me;
        int in = -1;
        MPI_Sendrecv(&out, 1, MPI_INT, right, 3, &in, 1, MPI_INT, left, 3, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
        wrong += in != round + left;
    }
    CHECK(wrong == 0);
}

TEST_CASE("two thousand sums of eight bytes finish") {
    double in = 0.0, out = 0.0;
    MPI_Request request = MPI_REQUEST_NULL;
    CHECK_MPI(MPI_Allreduce_init(&in, &out, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL,
                                 &request));
    const int ranks = size_of();
    int wrong = 0;
    for (int round = 0; round < 2000; round++) {
        in = round + rank_of();
        MPI_Start(&request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        wrong += out != round * ranks + ranks * (ranks - 1) / 2;
    }
    CHECK(wrong == 0);
    free_request(request);
}

TEST_CASE("two thousand messages round the ring finish") {
    // The host's own requests must be waited for as politely as ours.
    const int me = rank_of(), ranks = size_of();
    int out = 0, in = 0, wrong = 0;
    for (int round = 0; round < 2000; round++) {
        out = round + me;
        MPI_Request pair[2];
        MPI_Irecv(&in, 1, MPI_INT, (me + ranks - 1) % ranks, 3, MPI_COMM_WORLD, &pair[0]);
        MPI_Isend(&out, 1, MPI_INT, (me + 1) % ranks, 3, MPI_COMM_WORLD, &pair[1]);
        MPI_Waitall(2, pair, MPI_STATUSES_IGNORE);
        wrong += in != round + (me + ranks - 1) % ranks;
    }
    CHECK(wrong == 0);
}

TEST_CASE("two thousand sums that are asked for until they are there finish") {
    int in = 0, out = 0, wrong = 0;
    MPI_Request request = MPI_REQUEST_NULL;
    CHECK_MPI(MPIX_Pallreduce_init(&in, &out, 1, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL,
                                   &request));
    const int me = rank_of(), ranks = size_of();
    for (int round = 0; round < 2000; round++) {
        in = round + me;
        MPI_Start(&request);
        MPI_Pready(0, request);
        int flag = 0;
        while (!flag) MPI_Parrived(request, 0, &flag);
        wrong += out != round * ranks + ranks * (ranks - 1) / 2;
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    CHECK(wrong == 0);
    free_request(request);
}
