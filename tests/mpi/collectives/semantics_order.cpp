// SPDX-License-Identifier: BSD-3-Clause
// Starts in any order, many live requests, ranks that drift apart, and no matching with the
// program's own traffic.
#include <numeric>

#include "common/check.hpp"

using namespace mpitest;

namespace {

int sum_of_ranks(int ranks) { return ranks * (ranks - 1) / 2; }

// Several allreduces of one integer each; operation i adds up i * 1000 + rank + round.
struct Many {
    std::vector<int> in, out;
    std::vector<MPI_Request> requests;
    MPI_Comm comm;

    Many(int operations, MPI_Comm on)
        : in(static_cast<std::size_t>(operations)), out(in), comm(on) {
        requests.assign(in.size(), MPI_REQUEST_NULL);
        for (std::size_t i = 0; i < in.size(); i++)
            CHECK_MPI(MPI_Allreduce_init(&in[i], &out[i], 1, MPI_INT, MPI_SUM, comm, MPI_INFO_NULL,
                                         &requests[i]));
    }
    void write(int round) {
        for (std::size_t i = 0; i < in.size(); i++)
            in[i] = static_cast<int>(i) * 1000 + rank_of(comm) + round;
    }
    bool right(std::size_t i, int round) const {
        const int ranks = size_of(comm);
        return out[i] == (static_cast<int>(i) * 1000 + round) * ranks + sum_of_ranks(ranks);
    }
    int wrong(int round) const {
        int wrong = 0;
        for (std::size_t i = 0; i < in.size(); i++) wrong += right(i, round) ? 0 : 1;
        return wrong;
    }
    void free_all() {
        for (auto& request : requests) free_request(request);
    }
};

// A permutation of 0 .. n-1 that differs between ranks and rounds.
std::vector<std::size_t> shuffled(std::size_t n, int rank, int round) {
    std::vector<std::size_t> order(n);
    std::iota(order.begin(), order.end(), std::size_t{0});
    for (std::size_t i = n; i > 1; i--) {
        const auto mixed = mix(static_cast<std::uint32_t>(rank), static_cast<std::uint32_t>(round),
                               static_cast<std::uint32_t>(i));
        std::swap(order[i - 1], order[mixed % i]);
    }
    return order;
}

} // namespace

TEST_CASE("operations start in a different order on every rank") {
    Many many(12, MPI_COMM_WORLD);
    for (int round = 0; round < 10; round++) {
        many.write(round);
        for (const auto i : shuffled(many.in.size(), rank_of(), round))
            CHECK_MPI(MPI_Start(&many.requests[i]));
        for (const auto i : shuffled(many.in.size(), rank_of() + 100, round)) {
            CHECK_MPI(MPI_Wait(&many.requests[i], MPI_STATUS_IGNORE));
            CHECK(many.right(i, round));
        }
    }
    many.free_all();
}

TEST_CASE("different collectives start in a different order on every rank") {
    const int me = rank_of(), ranks = size_of();
    const auto n = static_cast<std::size_t>(ranks);
    std::vector<int> gathered(n), sent(n), exchanged(n), one(1), prefix(1), reduced(1);
    int broadcast = 0, mine = 0;
    MPI_Request requests[6];
    const MPI_Info info = MPI_INFO_NULL;
    const MPI_Comm comm = MPI_COMM_WORLD;
    CHECK_MPI(MPI_Bcast_init(&broadcast, 1, MPI_INT, ranks - 1, comm, info, &requests[0]));
    CHECK_MPI(MPI_Allgather_init(&mine, 1, MPI_INT, gathered.data(), 1, MPI_INT, comm, info,
                                 &requests[1]));
    CHECK_MPI(MPI_Alltoall_init(sent.data(), 1, MPI_INT, exchanged.data(), 1, MPI_INT, comm, info,
                                &requests[2]));
    CHECK_MPI(MPI_Scan_init(&mine, prefix.data(), 1, MPI_INT, MPI_SUM, comm, info, &requests[3]));
    CHECK_MPI(
        MPI_Reduce_init(&mine, reduced.data(), 1, MPI_INT, MPI_MAX, 0, comm, info, &requests[4]));
    CHECK_MPI(MPI_Barrier_init(comm, info, &requests[5]));
    for (int round = 0; round < 8; round++) {
        mine = round * 100 + me;
        broadcast = me == ranks - 1 ? round + 7 : -1;
        for (std::size_t r = 0; r < n; r++) sent[r] = round * 1000 + me * 10 + static_cast<int>(r);
        for (const auto i : shuffled(6, me, round)) CHECK_MPI(MPI_Start(&requests[i]));
        CHECK_MPI(MPI_Waitall(6, requests, MPI_STATUSES_IGNORE));
        CHECK(broadcast == round + 7);
        for (int r = 0; r < ranks; r++) {
            CHECK(gathered[static_cast<std::size_t>(r)] == round * 100 + r);
            CHECK(exchanged[static_cast<std::size_t>(r)] == round * 1000 + r * 10 + me);
        }
        CHECK(prefix[0] == round * 100 * (me + 1) + me * (me + 1) / 2);
        if (me == 0) CHECK(reduced[0] == round * 100 + ranks - 1);
    }
    for (auto& request : requests) free_request(request);
}

TEST_CASE("Startall starts them all") {
    Many many(20, MPI_COMM_WORLD);
    const auto n = static_cast<int>(many.requests.size());
    for (int round = 0; round < 5; round++) {
        many.write(round);
        CHECK_MPI(MPI_Startall(n, many.requests.data()));
        CHECK_MPI(MPI_Waitall(n, many.requests.data(), MPI_STATUSES_IGNORE));
        CHECK(many.wrong(round) == 0);
    }
    many.free_all();
}

TEST_CASE("five thousand requests live on one communicator") {
    Many many(5000, MPI_COMM_WORLD);
    const auto n = static_cast<int>(many.requests.size());
    for (int round = 0; round < 2; round++) {
        many.write(round);
        CHECK_MPI(MPI_Startall(n, many.requests.data()));
        CHECK_MPI(MPI_Waitall(n, many.requests.data(), MPI_STATUSES_IGNORE));
        CHECK(many.wrong(round) == 0);
    }
    many.free_all();
}

TEST_CASE("requests come and go without end") {
    int in = 1, out = 0;
    for (int i = 0; i < 3000; i++) {
        MPI_Request request = MPI_REQUEST_NULL;
        MPI_Allreduce_init(&in, &out, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
        if (i % 50 == 0) {
            out = 0;
            start_and_wait(request);
            CHECK(out == size_of());
        }
        MPI_Request_free(&request);
    }
}

TEST_CASE("ranks drift apart over two hundred rounds") {
    // A broadcast and a gather to the same root: nothing holds the leaves back but the data itself.
    const int me = rank_of(), ranks = size_of();
    std::vector<int> gathered(static_cast<std::size_t>(ranks));
    int mine = 0, told = 0;
    MPI_Request bcast = MPI_REQUEST_NULL, gather = MPI_REQUEST_NULL;
    CHECK_MPI(MPI_Bcast_init(&told, 1, MPI_INT, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &bcast));
    CHECK_MPI(MPI_Gather_init(&mine, 1, MPI_INT, gathered.data(), 1, MPI_INT, ranks - 1,
                              MPI_COMM_WORLD, MPI_INFO_NULL, &gather));
    int wrong = 0;
    for (int round = 0; round < 200; round++) {
        told = me == 0 ? round * 3 : -1;
        mine = round * 10 + me;
        MPI_Start(&bcast);
        MPI_Start(&gather);
        MPI_Wait(&gather, MPI_STATUS_IGNORE);
        MPI_Wait(&bcast, MPI_STATUS_IGNORE);
        wrong += told != round * 3;
        for (int r = 0; me == ranks - 1 && r < ranks; r++)
            wrong += gathered[static_cast<std::size_t>(r)] != round * 10 + r;
    }
    CHECK(wrong == 0);
    free_request(bcast);
    free_request(gather);
}

TEST_CASE("a request that is never started is freed") {
    int in = 1, out = 0;
    MPI_Request request = MPI_REQUEST_NULL;
    CHECK_MPI(MPI_Allreduce_init(&in, &out, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL,
                                 &request));
    CHECK(request != MPI_REQUEST_NULL);
    free_request(request);
}
