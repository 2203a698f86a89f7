// SPDX-License-Identifier: BSD-3-Clause
// Persistent collectives between two groups as operations: what a barrier waits for, several at
// once, beside the program's own, longer than their communicator, and what is refused.
#include "collectives/intercommunicators.hpp"
#include "common/errors.hpp"

using namespace mpitest;

namespace {

// A sum over each group for the other, and a broadcast from the first rank of the first group.
struct Several {
    const Groups& groups;
    int in = 0, sum = -1, told = -1;
    std::vector<int> gathered, sent, got;
    enum { sums, bcast, gather, exchange, barrier, requests_in_all };
    std::vector<MPI_Request> requests;

    explicit Several(const Groups& between)
        : groups(between), gathered(static_cast<std::size_t>(groups.remote)), sent(gathered.size()),
          got(gathered.size()),
          requests(static_cast<std::size_t>(requests_in_all), MPI_REQUEST_NULL) {
        const MPI_Comm comm = groups.between;
        const Root root(groups, 0, false);
        CHECK_MPI(MPI_Allreduce_init(&in, &sum, 1, MPI_INT, MPI_SUM, comm, MPI_INFO_NULL,
                                     &requests[sums]));
        CHECK_MPI(MPI_Bcast_init(&told, 1, MPI_INT, root.argument, comm, MPI_INFO_NULL,
                                 &requests[bcast]));
        CHECK_MPI(MPI_Allgather_init(&in, 1, MPI_INT, gathered.data(), 1, MPI_INT, comm,
                                     MPI_INFO_NULL, &requests[gather]));
        CHECK_MPI(MPI_Alltoall_init(sent.data(), 1, MPI_INT, got.data(), 1, MPI_INT, comm,
                                    MPI_INFO_NULL, &requests[exchange]));
        CHECK_MPI(MPI_Barrier_init(comm, MPI_INFO_NULL, &requests[barrier]));
    }
    Several(const Several&) = delete;
    Several& operator=(const Several&) = delete;
    ~Several() {
        for (MPI_Request& request : requests) free_request(request);
    }

    void start(int round) {
        in = round * 100 + groups.number() * 10 + groups.me;
        sum = -1;
        told = groups.is_first && groups.me == 0 ? round : -1;
        for (std::size_t r = 0; r < sent.size(); r++) sent[r] = in * 10 + static_cast<int>(r);
        // Every rank has its own order.
        for (std::size_t i = 0; i < requests.size(); i++) {
            const auto shift = static_cast<std::size_t>(rank_of() + round);
            CHECK_MPI(MPI_Start(&requests[(i + shift) % requests.size()]));
        }
    }
    void check(int round) const {
        const int base = round * 100 + groups.other() * 10, ranks = groups.remote;
        CHECK(sum == ranks * base + ranks * (ranks - 1) / 2);
        CHECK(told == (groups.is_first && groups.me != 0 ? -1 : round));
        for (int r = 0; r < ranks; r++) {
            CHECK(gathered[static_cast<std::size_t>(r)] == base + r);
            CHECK(got[static_cast<std::size_t>(r)] == (base + r) * 10 + groups.me);
        }
    }
    void wait() {
        CHECK_MPI(
            MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE));
    }
};

} // namespace

TEST_CASE("a barrier between two groups waits for the other group") {
    for_all_groups([](const Groups& groups) {
        MPI_Request request = MPI_REQUEST_NULL;
        CHECK_MPI(MPI_Barrier_init(groups.between, MPI_INFO_NULL, &request));
        for (int round = 0; round < 4; round++) {
            const bool is_early = groups.is_first == (round % 2 == 0);
            int done = 0;
            if (is_early) CHECK_MPI(MPI_Start(&request));
            for (int i = 0; i < 30 && is_early; i++) {
                CHECK_MPI(MPI_Test(&request, &done, MPI_STATUS_IGNORE));
                CHECK(done == 0);
            }
            CHECK_MPI(MPI_Barrier(MPI_COMM_WORLD));
            if (!is_early) CHECK_MPI(MPI_Start(&request));
            CHECK_MPI(MPI_Wait(&request, MPI_STATUS_IGNORE));
        }
        free_request(request);
    });
}

TEST_CASE("several collectives between two groups run at once, started in any order") {
    for_all_groups([](const Groups& groups) {
        Several several(groups), more(groups);
        for (int round = 0; round < 5; round++) {
            if (rank_of() % 2 == 0) several.start(round);
            more.start(round + 50);
            if (rank_of() % 2 != 0) several.start(round);
            several.wait();
            more.wait();
            several.check(round);
            more.check(round + 50);
        }
    });
}

TEST_CASE("the program's own collectives and messages between two groups pass by") {
    for_all_groups([](const Groups& groups) {
        Several several(groups);
        for (int round = 0; round < 3; round++) {
            several.start(round);
            int in = groups.me, sum = -1, received = -1;
            CHECK_MPI(MPI_Allreduce(&in, &sum, 1, MPI_INT, MPI_SUM, groups.between));
            CHECK(sum == groups.remote * (groups.remote - 1) / 2);
            if (groups.me == 0)
                CHECK_MPI(MPI_Sendrecv(&round, 1, MPI_INT, 0, 0, &received, 1, MPI_INT,
                                       MPI_ANY_SOURCE, MPI_ANY_TAG, groups.between,
                                       MPI_STATUS_IGNORE));
            CHECK(received == (groups.me == 0 ? round : -1));
            several.wait();
            several.check(round);
        }
    });
}

TEST_CASE("an intercommunicator may be freed before its plans, and duplicated") {
    for_all_groups([](const Groups& groups) {
        MPI_Comm copy = MPI_COMM_NULL;
        int in = 0, sum = 0;
        MPI_Request requests[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
        int in_copy = 0, sum_in_copy = 0;
        CHECK_MPI(MPI_Allreduce_init(&in, &sum, 1, MPI_INT, MPI_SUM, groups.between, MPI_INFO_NULL,
                                     &requests[0]));
        CHECK_MPI(MPI_Comm_dup(groups.between, &copy));
        CHECK_MPI(MPI_Allreduce_init(&in_copy, &sum_in_copy, 1, MPI_INT, MPI_SUM, copy,
                                     MPI_INFO_NULL, &requests[1]));
        CHECK_MPI(MPI_Comm_free(&copy));
        for (int round = 0; round < 3; round++) {
            in = round;
            in_copy = round * 10;
            CHECK_MPI(MPI_Startall(2, requests));
            CHECK_MPI(MPI_Waitall(2, requests, MPI_STATUSES_IGNORE));
            CHECK(sum == round * groups.remote);
            CHECK(sum_in_copy == round * 10 * groups.remote);
        }
        for (MPI_Request& request : requests) free_request(request);
    });
}

TEST_CASE("scans and in place are refused between two groups") {
    for_all_groups([](const Groups& groups) {
        CHECK_MPI(MPI_Comm_set_errhandler(groups.between, MPI_ERRORS_RETURN));
        std::vector<int> in(8), out(8);
        const MPI_Comm comm = groups.between;
        MPI_Request request = MPI_REQUEST_NULL;
        check_error(MPI_Scan_init(in.data(), out.data(), 1, MPI_INT, MPI_SUM, comm, MPI_INFO_NULL,
                                  &request),
                    {MPI_ERR_COMM}, {"intercommunicator"});
        check_error(MPI_Exscan_init(in.data(), out.data(), 1, MPI_INT, MPI_SUM, comm, MPI_INFO_NULL,
                                    &request),
                    {MPI_ERR_COMM}, {"intercommunicator"});
        check_error(MPI_Allreduce_init(MPI_IN_PLACE, out.data(), 1, MPI_INT, MPI_SUM, comm,
                                       MPI_INFO_NULL, &request),
                    {MPI_ERR_BUFFER}, {"in_place"});
        check_error(MPI_Alltoall_init(MPI_IN_PLACE, 0, MPI_INT, out.data(), 1, MPI_INT, comm,
                                      MPI_INFO_NULL, &request),
                    {MPI_ERR_BUFFER}, {"in_place"});
        check_error(MPI_Neighbor_allgather_init(in.data(), 1, MPI_INT, out.data(), 1, MPI_INT, comm,
                                                MPI_INFO_NULL, &request),
                    {MPI_ERR_TOPOLOGY}, {"topology"});
        CHECK(request == MPI_REQUEST_NULL);
        Several several(groups);
        several.start(1);
        several.wait();
        several.check(1);
    });
}
