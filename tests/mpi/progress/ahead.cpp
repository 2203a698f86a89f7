// SPDX-License-Identifier: BSD-3-Clause
// How far ranks that only send run ahead of the one that they send to: what comes too early a host
// keeps in a list that it looks through, and in memory.
#include "common/plans.hpp"

#include <chrono>
#include <vector>

using namespace mpitest;

namespace {

constexpr int rounds = 2000;
constexpr int most_ahead = 128 * 4; // a tree of few ranks has no more levels

// False after a while.
bool completes(MPI_Request& request) {
    using namespace std::chrono_literals;
    const auto begin = std::chrono::steady_clock::now();
    int done = 0;
    while (!done && std::chrono::steady_clock::now() - begin < 2s)
        CHECK_MPI(MPI_Test(&request, &done, MPI_STATUS_IGNORE));
    return done != 0;
}

// The root begins when all others have come as far as they can.
template<class Check>
void run_ahead(MPI_Request request, int& sent, Check check) {
    int ahead = 0;
    if (rank_of() == 0)
        for (int from = 1; from < size_of(); ++from) {
            CHECK_MPI(MPI_Recv(&ahead, 1, MPI_INT, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
            CHECK(ahead > 0);
            CHECK(ahead <= most_ahead);
        }
    bool waits = false;
    for (int round = 0; round < rounds; ++round) {
        sent = rank_of() + round;
        CHECK_MPI(MPI_Start(&request));
        if (rank_of() > 0 && !waits && !completes(request)) {
            CHECK_MPI(MPI_Send(&round, 1, MPI_INT, 0, 0, MPI_COMM_WORLD));
            waits = true;
        }
        CHECK_MPI(MPI_Wait(&request, MPI_STATUS_IGNORE));
        if (rank_of() == 0) check(round);
    }
    if (rank_of() > 0 && !waits) CHECK_MPI(MPI_Send(&rounds, 1, MPI_INT, 0, 0, MPI_COMM_WORLD));
    free_request(request);
}

} // namespace

TEST_CASE("who sends to a gather or to a reduction is some rounds ahead and no more") {
    const int ranks = size_of();
    int sent = 0, sum = 0, wrong = 0;
    std::vector<int> gathered(static_cast<std::size_t>(ranks));
    MPI_Request gather = MPI_REQUEST_NULL, reduction = MPI_REQUEST_NULL;
    CHECK_MPI(MPI_Gather_init(&sent, 1, MPI_INT, gathered.data(), 1, MPI_INT, 0, MPI_COMM_WORLD,
                              MPI_INFO_NULL, &gather));
    CHECK_MPI(MPI_Reduce_init(&sent, &sum, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD, MPI_INFO_NULL,
                              &reduction));
    run_ahead(gather, sent, [&](int round) {
        for (int rank = 0; rank < ranks; ++rank)
            wrong += gathered[static_cast<std::size_t>(rank)] != rank + round;
    });
    run_ahead(reduction, sent,
              [&](int round) { wrong += sum != ranks * round + ranks * (ranks - 1) / 2; });
    CHECK(wrong == 0);
}
