// SPDX-License-Identifier: BSD-3-Clause
// Ranks of a node that are not in step: sources run far ahead of slow sinks, and the host's
// messages and nonblocking collectives go on while a rank waits for others.
#include <sched.h>
#include <unistd.h>

#include <chrono>

#include "library/shared_memory.hpp"

using namespace mpitest;

namespace {

void token(int from, int to) {
    if (rank_of() == from) MPI_Send(nullptr, 0, MPI_BYTE, to, 5, MPI_COMM_WORLD);
    if (rank_of() == to) MPI_Recv(nullptr, 0, MPI_BYTE, from, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

// A nonblocking collective of the host's, of several rounds.
class HostCollective {
  public:
    explicit HostCollective(bool is_barrier) : all_(static_cast<std::size_t>(size_of())) {
        CHECK_MPI(is_barrier ? MPI_Ibarrier(MPI_COMM_WORLD, &request_)
                             : MPI_Iallgather(&me_, 1, MPI_INT, all_.data(), 1, MPI_INT,
                                              MPI_COMM_WORLD, &request_));
    }
    ~HostCollective() { CHECK_MPI(MPI_Wait(&request_, MPI_STATUS_IGNORE)); }
    HostCollective(const HostCollective&) = delete;
    HostCollective& operator=(const HostCollective&) = delete;

    bool ends_in_time() {
        const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(5);
        int flag = 0;
        while (!flag && std::chrono::steady_clock::now() < end) {
            MPI_Test(&request_, &flag, MPI_STATUS_IGNORE);
            if (!flag) sched_yield();
        }
        return flag;
    }

  private:
    const int me_ = rank_of();
    std::vector<int> all_;
    MPI_Request request_ = MPI_REQUEST_NULL;
};

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

// In every second round the others have not begun when that rank waits already.
TEST_CASE("the host's collectives move while this rank waits for a plan") {
    if (size_of() < 3) return; // there is nothing to pass on
    Use use(Kind::allreduce, 8, Where::heap);
    int ends = 1;
    for (int round = 0; ends && round < 4 * size_of(); round++) {
        const bool waits = rank_of() == round / 4;
        use.write(round);
        if (!waits && round % 2) usleep(3000);
        HostCollective collective(round % 4 < 2);
        if (!waits) CHECK((ends = collective.ends_in_time()));
        use.start();
        use.end();
        MPI_Allreduce(MPI_IN_PLACE, &ends, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    }
}
