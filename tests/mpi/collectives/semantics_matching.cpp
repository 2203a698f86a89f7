// SPDX-License-Identifier: BSD-3-Clause
// Persistent collectives never meet the program's own messages and collectives on the same
// communicator.
#include "common/check.hpp"

using namespace mpitest;

namespace {

struct Sum {
    int in = 0, out = -1;
    MPI_Request request = MPI_REQUEST_NULL;

    explicit Sum(MPI_Comm comm) {
        CHECK_MPI(
            MPI_Allreduce_init(&in, &out, 1, MPI_INT, MPI_SUM, comm, MPI_INFO_NULL, &request));
    }
    void start(int value) {
        in = value;
        CHECK_MPI(MPI_Start(&request));
    }
    int wait() {
        CHECK_MPI(MPI_Wait(&request, MPI_STATUS_IGNORE));
        return out;
    }
};

} // namespace

TEST_CASE("blocking and nonblocking collectives pass by active persistent ones") {
    const int ranks = size_of();
    Sum sum(MPI_COMM_WORLD);
    for (int round = 0; round < 10; round++) {
        int in = 5, out = 0, late_in = 11, late_out = 0;
        MPI_Request late = MPI_REQUEST_NULL;
        sum.start(round + 1);
        CHECK_MPI(MPI_Iallreduce(&late_in, &late_out, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &late));
        CHECK_MPI(MPI_Allreduce(&in, &out, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
        CHECK_MPI(MPI_Barrier(MPI_COMM_WORLD));
        CHECK(out == 5 * ranks);
        CHECK(sum.wait() == (round + 1) * ranks);
        CHECK_MPI(MPI_Wait(&late, MPI_STATUS_IGNORE));
        CHECK(late_out == 11 * ranks);
    }
    free_request(sum.request);
}

TEST_CASE("a rank may start late while others are in a blocking collective that follows") {
    // Even ranks start before the barrier, odd ranks after it: no rank waits for the sum before it.
    Sum sum(MPI_COMM_WORLD);
    for (int round = 0; round < 10; round++) {
        const bool early = rank_of() % 2 == 0;
        if (early) sum.start(round);
        CHECK_MPI(MPI_Barrier(MPI_COMM_WORLD));
        if (!early) sum.start(round);
        CHECK(sum.wait() == round * size_of());
    }
    free_request(sum.request);
}

TEST_CASE("receives from any source with any tag see only the program's messages") {
    const int me = rank_of(), ranks = size_of();
    const int next = (me + 1) % ranks, previous = (me + ranks - 1) % ranks;
    int caught = -1;
    MPI_Request receive = MPI_REQUEST_NULL;
    CHECK_MPI(
        MPI_Irecv(&caught, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &receive));
    Sum sum(MPI_COMM_WORLD);
    std::vector<int> large(30'000, me), all(large.size() * static_cast<std::size_t>(ranks));
    MPI_Request gather = MPI_REQUEST_NULL;
    CHECK_MPI(MPI_Allgather_init(large.data(), 30'000, MPI_INT, all.data(), 30'000, MPI_INT,
                                 MPI_COMM_WORLD, MPI_INFO_NULL, &gather));
    for (int round = 0; round < 5; round++) {
        sum.start(2);
        start_and_wait(gather);
        CHECK(sum.wait() == 2 * ranks);
        for (int r = 0; r < ranks; r++)
            CHECK(all[static_cast<std::size_t>(r) * 30'000 + 29'999] == r);
    }
    int arrived = 0;
    MPI_Status status;
    CHECK_MPI(MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &arrived, &status));
    CHECK(arrived == 0);
    CHECK_MPI(MPI_Barrier(MPI_COMM_WORLD));
    const int message = 1000 + me;
    CHECK_MPI(MPI_Send(&message, 1, MPI_INT, next, 17, MPI_COMM_WORLD));
    CHECK_MPI(MPI_Wait(&receive, &status));
    CHECK(caught == 1000 + previous);
    CHECK(status.MPI_TAG == 17);
    CHECK(status.MPI_SOURCE == previous);
    free_request(gather);
    free_request(sum.request);
}

TEST_CASE("messages with every tag are the program's") {
    const int me = rank_of(), ranks = size_of();
    const int next = (me + 1) % ranks, previous = (me + ranks - 1) % ranks;
    Sum sum(MPI_COMM_WORLD);
    for (const int tag : {0, 1, 2, 3, 100, 32'767}) {
        sum.start(1);
        int got = -1;
        const int message = tag + me;
        CHECK_MPI(MPI_Sendrecv(&message, 1, MPI_INT, next, tag, &got, 1, MPI_INT, previous, tag,
                               MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        CHECK(got == tag + previous);
        CHECK(sum.wait() == ranks);
    }
    free_request(sum.request);
}

TEST_CASE("split, duplicated and self communicators each have their own operations") {
    const int me = rank_of(), ranks = size_of();
    MPI_Comm half = MPI_COMM_NULL, copy = MPI_COMM_NULL;
    CHECK_MPI(MPI_Comm_split(MPI_COMM_WORLD, me % 2, -me, &half));
    CHECK_MPI(MPI_Comm_dup(MPI_COMM_WORLD, &copy));
    Sum whole(MPI_COMM_WORLD), part(half), twin(copy), alone(MPI_COMM_SELF);
    for (int round = 0; round < 5; round++) {
        if (me % 2 == 0) whole.start(1);
        alone.start(round);
        part.start(10);
        twin.start(100);
        if (me % 2 != 0) whole.start(1);
        CHECK(twin.wait() == 100 * ranks);
        CHECK(alone.wait() == round);
        CHECK(whole.wait() == ranks);
        CHECK(part.wait() == 10 * size_of(half));
    }
    for (Sum* sum : {&whole, &part, &twin, &alone}) free_request(sum->request);
    CHECK_MPI(MPI_Comm_free(&half));
    CHECK_MPI(MPI_Comm_free(&copy));
}

TEST_CASE("operations on a group of some ranks do not involve the others") {
    MPI_Comm some = MPI_COMM_NULL;
    const bool in = rank_of() == 0 || rank_of() == size_of() - 1;
    CHECK_MPI(MPI_Comm_split(MPI_COMM_WORLD, in ? 0 : MPI_UNDEFINED, 0, &some));
    if (some == MPI_COMM_NULL) return;
    Sum sum(some);
    for (int round = 0; round < 20; round++) {
        sum.start(round);
        CHECK(sum.wait() == round * size_of(some));
    }
    free_request(sum.request);
    CHECK_MPI(MPI_Comm_free(&some));
}
