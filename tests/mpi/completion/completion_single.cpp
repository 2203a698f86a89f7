// SPDX-License-Identifier: BSD-3-Clause
// One request at a time: Start, Wait, Test, Request_get_status, and the empty status of an inactive
// request.
#include "common/completion.hpp"

using namespace mpitest;

TEST_CASE("Wait and Test on an inactive request return at once with an empty status") {
    Ours sum;
    for (int round = 0; round < 2; round++) {
        MPI_Status status = spoiled_status();
        CHECK_MPI(MPI_Wait(&sum.request, &status));
        CHECK(is_empty(status));
        CHECK(status.MPI_ERROR == untouched_error);
        status = spoiled_status();
        int done = 0;
        CHECK_MPI(MPI_Test(&sum.request, &done, &status));
        CHECK(done == 1);
        CHECK(is_empty(status));
        status = spoiled_status();
        done = 0;
        CHECK_MPI(MPI_Request_get_status(sum.request, &done, &status));
        CHECK(done == 1);
        CHECK(is_empty(status));
        CHECK(sum.request != MPI_REQUEST_NULL);
        sum.run(round); // inactive again afterwards
    }
}

TEST_CASE("Test completes a request and leaves the handle") {
    Ours sum;
    for (int round = 0; round < 20; round++) {
        sum.start(round);
        int done = 0;
        while (done == 0) {
            CHECK_MPI(MPI_Test(&sum.request, &done, MPI_STATUS_IGNORE));
            pause_briefly();
        }
        CHECK(sum.right(round));
        CHECK(sum.request != MPI_REQUEST_NULL);
        CHECK_MPI(MPI_Test(&sum.request, &done, MPI_STATUS_IGNORE));
        CHECK(done == 1);
    }
}

TEST_CASE("Request_get_status tells of completion and does not take it") {
    Ours sum;
    for (int round = 0; round < 5; round++) {
        sum.start(round);
        int done = 0;
        while (done == 0) {
            CHECK_MPI(MPI_Request_get_status(sum.request, &done, MPI_STATUS_IGNORE));
            pause_briefly();
        }
        CHECK(sum.right(round));
        done = 0;
        CHECK_MPI(MPI_Request_get_status(sum.request, &done, MPI_STATUS_IGNORE));
        CHECK(done == 1);
        CHECK_MPI(MPI_Wait(&sum.request, MPI_STATUS_IGNORE));
    }
}

TEST_CASE("null requests are complete for every call") {
    MPI_Request none = MPI_REQUEST_NULL;
    MPI_Status status = spoiled_status();
    CHECK_MPI(MPI_Wait(&none, &status));
    CHECK(is_empty(status));
    int done = 0;
    CHECK_MPI(MPI_Test(&none, &done, MPI_STATUS_IGNORE));
    CHECK(done == 1);
    CHECK_MPI(MPI_Waitall(0, nullptr, MPI_STATUSES_IGNORE));
}

TEST_CASE("a rank that waits in a host call passes on what others need") {
    // A broadcast through a tree: the inner ranks sit in a receive that only the last leaf can
    // answer.
    const int me = rank_of(), ranks = size_of();
    std::vector<int> data(20'000);
    MPI_Request bcast = MPI_REQUEST_NULL;
    CHECK_MPI(
        MPI_Bcast_init(data.data(), 20'000, MPI_INT, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &bcast));
    for (int round = 0; round < 5; round++) {
        data.assign(data.size(), me == 0 ? round : -1);
        CHECK_MPI(MPI_Start(&bcast));
        if (me == ranks - 1) {
            CHECK_MPI(MPI_Wait(&bcast, MPI_STATUS_IGNORE));
            for (int r = 0; r < ranks - 1; r++)
                CHECK_MPI(MPI_Send(&round, 1, MPI_INT, r, 5, MPI_COMM_WORLD));
        } else {
            int word = -1;
            CHECK_MPI(MPI_Recv(&word, 1, MPI_INT, ranks - 1, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
            CHECK(word == round);
            CHECK_MPI(MPI_Wait(&bcast, MPI_STATUS_IGNORE));
        }
        CHECK(data.front() == round);
        CHECK(data.back() == round);
    }
    free_request(bcast);
}

TEST_CASE("a rank that waits in a barrier, a probe or a collective passes on what others need") {
    const int me = rank_of(), ranks = size_of();
    std::vector<int> data(20'000);
    MPI_Request bcast = MPI_REQUEST_NULL;
    CHECK_MPI(
        MPI_Bcast_init(data.data(), 20'000, MPI_INT, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &bcast));
    for (int round = 0; round < 6; round++) {
        data.assign(data.size(), me == 0 ? round : -1);
        CHECK_MPI(MPI_Start(&bcast));
        // The last rank enters the blocking call only after the broadcast has reached it.
        if (me == ranks - 1) CHECK_MPI(MPI_Wait(&bcast, MPI_STATUS_IGNORE));
        int in = 1, out = 0;
        if (round % 3 == 0) CHECK_MPI(MPI_Barrier(MPI_COMM_WORLD));
        if (round % 3 == 1)
            CHECK_MPI(MPI_Allreduce(&in, &out, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
        if (round % 3 == 2 && me == ranks - 1)
            for (int r = 0; r < ranks - 1; r++)
                CHECK_MPI(MPI_Send(&in, 1, MPI_INT, r, 6, MPI_COMM_WORLD));
        if (round % 3 == 2 && me != ranks - 1) {
            CHECK_MPI(MPI_Probe(ranks - 1, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
            CHECK_MPI(MPI_Recv(&in, 1, MPI_INT, ranks - 1, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        }
        if (me != ranks - 1) CHECK_MPI(MPI_Wait(&bcast, MPI_STATUS_IGNORE));
        CHECK(data.back() == round);
    }
    free_request(bcast);
}

TEST_CASE("a null request among ours gets the empty status") {
    int in = 1, out = 0;
    MPI_Request requests[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
    CHECK_MPI(MPI_Allreduce_init(&in, &out, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL,
                                 &requests[0]));
    for (int round = 0; round < 2; round++) {
        MPI_Status statuses[2] = {spoiled_status(), spoiled_status()};
        CHECK_MPI(MPI_Start(&requests[0]));
        int done = round;
        while (round == 0 && !done) CHECK_MPI(MPI_Testall(2, requests, &done, statuses));
        if (round == 1) CHECK_MPI(MPI_Waitall(2, requests, statuses));
        CHECK(is_empty(statuses[0]));
        CHECK(is_empty(statuses[1]));
    }
    free_request(requests[0]);
}
