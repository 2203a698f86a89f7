// SPDX-License-Identifier: BSD-3-Clause
// Ranks of a node that are not in step: sources run far ahead of slow sinks, and the host's
// messages go on while a rank waits for others.
#include <unistd.h>

#include "shared_memory.hpp"

using namespace mpitest;

namespace {

void token(int from, int to) {
    if (rank_of() == from) MPI_Send(nullptr, 0, MPI_BYTE, to, 5, MPI_COMM_WORLD);
    if (rank_of() == to) MPI_Recv(nullptr, 0, MPI_BYTE, from, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

} // namespace

TEST_CASE("sources that run on while their sinks sleep spoil no message") {
    for (const Kind kind : {Kind::bcast, Kind::scatter, Kind::gather, Kind::reduce})
        for (const int bytes : {8, 600, 20'000}) {
            Use use(kind, bytes, Where::heap);
            const bool sinks_at_root = kind == Kind::gather || kind == Kind::reduce;
            const bool is_sink = (rank_of() == 0) == sinks_at_root;
            for (int round = 0; round < 1000; round++) {
                if (is_sink && round % 400 == 0) usleep(5000);
                use.run(round);
            }
        }
}

TEST_CASE("a source of short messages ends eight rounds before its sinks begin") {
    Use use(Kind::bcast, 8, Where::heap);
    for (int pass = 0; pass < 20; pass++) {
        if (rank_of() > 0) token(0, rank_of());
        for (int round = 0; round < 8; round++) use.run(round);
        if (rank_of() > 0) continue;
        for (int rank = 1; rank < size_of(); rank++) token(0, rank);
    }
}

TEST_CASE("the host's messages move while this rank waits for a plan, and the reverse") {
    const int me = rank_of();
    if (size_of() == 1) return;
    Use use(Kind::allreduce, 50'000, Where::heap);
    std::vector<Byte> large(1 << 22, static_cast<Byte>(me));
    for (int round = 0; round < 10; round++) {
        const int first = round % 2, second = 1 - first; // the first is in our Wait
        MPI_Request message = MPI_REQUEST_NULL;
        if (me == first)
            MPI_Isend(large.data(), 1 << 22, MPI_BYTE, second, 6, MPI_COMM_WORLD, &message);
        use.write(round);
        if (me == second) {
            MPI_Recv(large.data(), 1 << 22, MPI_BYTE, first, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            CHECK(large.back() == first);
            std::fill(large.begin(), large.end(), static_cast<Byte>(me));
        }
        use.start();
        use.end();
        MPI_Wait(&message, MPI_STATUS_IGNORE);
        // The plan goes on in a rank that is in the host's Recv: the other tells it only at the
        // end.
        use.write(round + 100);
        use.start();
        if (me != first) use.end();
        token(second, first);
        if (me == first) use.end();
    }
}
