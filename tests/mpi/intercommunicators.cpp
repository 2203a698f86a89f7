// SPDX-License-Identifier: BSD-3-Clause
// Persistent collectives between two groups: what a group contributes arrives in the other.
#include "check.hpp"

using namespace mpitest;

namespace {

// The lower and the upper half of the ranks, joined; MPI_COMM_NULL where there is only one rank.
struct Halves {
    MPI_Comm local = MPI_COMM_NULL, between = MPI_COMM_NULL;
    int remote = 0, me = 0, here = 0;
    bool lower = false;

    Halves() {
        const int ranks = size_of(), middle = ranks / 2;
        if (ranks < 2) return;
        lower = rank_of() < middle;
        MPI_Comm_split(MPI_COMM_WORLD, lower ? 0 : 1, 0, &local);
        MPI_Intercomm_create(local, 0, MPI_COMM_WORLD, lower ? middle : 0, 9, &between);
        MPI_Comm_remote_size(between, &remote);
        me = rank_of(local);
        here = size_of(local);
    }
    Halves(const Halves&) = delete;
    Halves& operator=(const Halves&) = delete;
    ~Halves() {
        if (between == MPI_COMM_NULL) return;
        MPI_Comm_free(&between);
        MPI_Comm_free(&local);
    }
    bool usable() const { return between != MPI_COMM_NULL; }
    // The sum over the other group of `base` plus the rank in that group.
    int remote_sum(int base) const { return base * remote + remote * (remote - 1) / 2; }
};

} // namespace

TEST_CASE("a barrier between two groups can be started again") {
    const Halves halves;
    if (!halves.usable()) return;
    MPI_Request request = MPI_REQUEST_NULL;
    CHECK_MPI(MPI_Barrier_init(halves.between, MPI_INFO_NULL, &request));
    for (int round = 0; round < 3; round++) start_and_wait(request);
    free_request(request);
}

TEST_CASE("a broadcast goes from one rank of a group to all of the other") {
    const Halves halves;
    if (!halves.usable()) return;
    int root = 0;
    if (halves.lower)
        root = halves.me == halves.here - 1 ? MPI_ROOT : MPI_PROC_NULL;
    else
        root = halves.remote - 1;
    int data[3] = {-1, -1, -1};
    MPI_Request request = MPI_REQUEST_NULL;
    CHECK_MPI(MPI_Bcast_init(data, 3, MPI_INT, root, halves.between, MPI_INFO_NULL, &request));
    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < 3; i++) data[i] = root == MPI_ROOT ? round * 10 + i : -1;
        start_and_wait(request);
        const bool untouched = root == MPI_PROC_NULL;
        for (int i = 0; i < 3; i++) CHECK(data[i] == (untouched ? -1 : round * 10 + i));
    }
    free_request(request);
}

TEST_CASE("a sum over each group arrives in the other") {
    const Halves halves;
    if (!halves.usable()) return;
    int in = 0, out = -1;
    MPI_Request request = MPI_REQUEST_NULL;
    CHECK_MPI(MPI_Allreduce_init(&in, &out, 1, MPI_INT, MPI_SUM, halves.between, MPI_INFO_NULL,
                                 &request));
    for (int round = 0; round < 3; round++) {
        in = round * 100 + (halves.lower ? 1000 : 5000) + halves.me;
        start_and_wait(request);
        CHECK(out == halves.remote_sum(round * 100 + (halves.lower ? 5000 : 1000)));
    }
    free_request(request);
}

TEST_CASE("what each group gathers is the other's data") {
    const Halves halves;
    if (!halves.usable()) return;
    int in = 0;
    std::vector<int> out(static_cast<std::size_t>(halves.remote), -1);
    MPI_Request request = MPI_REQUEST_NULL;
    CHECK_MPI(MPI_Allgather_init(&in, 1, MPI_INT, out.data(), 1, MPI_INT, halves.between,
                                 MPI_INFO_NULL, &request));
    for (int round = 0; round < 3; round++) {
        in = round * 100 + (halves.lower ? 1000 : 5000) + halves.me;
        start_and_wait(request);
        for (int r = 0; r < halves.remote; r++)
            CHECK(out[static_cast<std::size_t>(r)] ==
                  round * 100 + (halves.lower ? 5000 : 1000) + r);
    }
    free_request(request);
}
