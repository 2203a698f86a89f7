// SPDX-License-Identifier: BSD-3-Clause
// MPIX_Pbuf_prepare returns when what its process will write into has been started. In each round
// one rank is late: it starts when it has seen, without a call of MPI, the others inside prepare,
// and that nobody came out of it who writes to the late one.
#include "common/board.hpp"
#include "common/errors.hpp"
#include "partitioned/pairs.hpp"
#include "partitioned/partitioned_marks.hpp"

using namespace mpitest;

namespace {

// How often each rank went into prepare, and how often it came out.
class Prepared {
  public:
    template<class Prepare>
    void pass(Prepare prepare) {
        board_.raise(2 * rank_of());
        CHECK_MPI(prepare());
        board_.raise(2 * rank_of() + 1);
        times_++;
    }
    // False if the others do not go in.
    bool await_others() const {
        const auto begin = std::chrono::steady_clock::now();
        for (int rank = 0; rank < size_of(); rank++)
            while (rank != rank_of() && board_.number(2 * rank) <= times_) {
                std::this_thread::sleep_for(std::chrono::microseconds(200));
                if (std::chrono::steady_clock::now() - begin > std::chrono::seconds(20))
                    return false;
            }
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
        return true;
    }
    bool is_out(int rank) const { return board_.number(2 * rank + 1) > times_; }
    int count_out() const {
        int count = 0;
        for (int rank = 0; rank < size_of(); rank++) count += is_out(rank);
        return count;
    }

  private:
    Board board_{2 * size_of()};
    int times_ = 0;
};

// Those that the late rank receives from.
std::vector<int> writers_of_this(const PartedOperation& operation) {
    std::vector<int> ranks;
    for (int s = 0; s < operation.shapes().segments_received(); s++)
        for (const Sent& from : operation.shapes().sources(s))
            if (from.rank != rank_of() && operation.shapes().received(s).units > 0)
                ranks.push_back(from.rank);
    return ranks;
}

// Whether each writes to all that it sends to, and not by way of others.
bool is_direct(const Partitioned& row) {
    return row.flow == Flow::alltoall || row.flow == Flow::neighbor_alltoall;
}

// Somebody writes to the late rank: all ranks are not out.
void check_held(const PartedOperation& operation, const Prepared& prepared) {
    const std::vector<int> writers = writers_of_this(operation);
    if (writers.empty()) return;
    CHECK(prepared.count_out() < size_of() - 1);
    for (const int rank : writers)
        if (is_direct(*operation.about().row)) CHECK(!prepared.is_out(rank));
}

void finish(PartedOperation& operation) {
    Marker(operation, 1).mark_all(Marking::one);
    CHECK_MPI(MPI_Wait(&operation.request, MPI_STATUS_IGNORE));
    operation.check();
}

// Every third round goes without.
void prepare_rounds(const PartedCase& of, Prepared& prepared) {
    PartedOperation operation(of);
    INFO(operation.text());
    for (int round = 0; round < size_of() + 2; round++) {
        INFO("round " << round);
        if (round % 3 == 2) {
            operation.start(round);
            finish(operation);
            continue;
        }
        operation.begin(round);
        if (round % size_of() == rank_of()) {
            CHECK(prepared.await_others());
            check_held(operation, prepared);
        }
        CHECK_MPI(MPI_Start(&operation.request));
        prepared.pass([&] { return MPIX_Pbuf_prepare(operation.request); });
        finish(operation);
    }
}

// From each rank to the next.
struct OnePair : RingPair {
    OnePair(int ints, int tag) : RingPair({4, ints}, {2, 2 * ints}, MPI_INFO_NULL, tag) {}

    void mark_and_finish() {
        send.mark_all(3);
        finish();
    }
};

} // namespace

TEST_CASE("a send waits for its receive to start") {
    Prepared prepared;
    for (const int ints : {1, 30'000}) {
        OnePair pair(ints, 3);
        for (int round = 0; round < 2 * size_of() + 1; round++) {
            INFO("round " << round);
            pair.send.start(round);
            if (round % size_of() == rank_of() && size_of() > 1) {
                CHECK(prepared.await_others());
                CHECK(!prepared.is_out(pair.ring.previous));
            }
            pair.recv.start(round);
            MPI_Request both[] = {pair.send.request, pair.recv.request};
            prepared.pass([&] { return MPIX_Pbuf_prepareall(2, both); });
            pair.mark_and_finish();
            pair.send.start(100 + round);
            pair.recv.start(100 + round);
            pair.mark_and_finish();
        }
    }
}

TEST_CASE("a send that was never matched waits for the init of its receive") {
    Prepared prepared;
    const int last = size_of() - 1;
    for (int time = 0; time < 3 && last > 0; time++) {
        if (rank_of() == 0) {
            SendEnd send({3, 5}, {last, 4});
            send.start(time);
            prepared.pass([&] { return MPIX_Pbuf_prepare(send.request); });
            send.mark_all(1);
            send.finish();
        } else if (rank_of() < last) {
            prepared.pass([] { return MPI_SUCCESS; });
        } else {
            CHECK(prepared.await_others());
            CHECK(!prepared.is_out(0));
            RecvEnd recv({5, 3}, {0, 4});
            recv.start(time);
            prepared.pass([&] { return MPIX_Pbuf_prepare(recv.request); });
            recv.finish();
        }
        CHECK_MPI(MPI_Barrier(MPI_COMM_WORLD));
    }
}

TEST_CASE("every collective waits for those that it writes to") {
    Prepared prepared;
    const Topology ring = grid({size_of()}, {1});
    for (const Partitioned& row : partitioned_calls) {
        PartedCase of{.row = &row, .granules = 2, .root = size_of() - 1, .seed = 8};
        if (row.is_neighbor()) of.comm = ring.comm, of.topology = &ring;
        prepare_rounds(of, prepared);
    }
}

TEST_CASE("so do large ones") {
    Prepared prepared;
    const Topology ring = grid({size_of()}, {1});
    for (const char* name :
         {"Pbcast", "Pgather", "Palltoall", "Pallreduce", "Pneighbor_alltoall"}) {
        PartedCase of{.row = &row_of(name), .granules = 3'000, .seed = 9};
        if (of.row->is_neighbor()) of.comm = ring.comm, of.topology = &ring;
        prepare_rounds(of, prepared);
    }
}

TEST_CASE("several at once, in another order on each rank") {
    Prepared prepared;
    PartedOperation alltoall({.row = &row_of("Palltoall"), .seed = 2});
    PartedOperation sum({.row = &row_of("Pallreduce"), .granules = 60, .seed = 3});
    OnePair small(2, 5), large(9'000, 6);
    for (int round = 0; round < 2 * size_of(); round++) {
        INFO("round " << round);
        sum.start(round);
        small.recv.start(round);
        small.send.start(round);
        large.recv.start(round);
        large.send.start(round);
        alltoall.begin(round);
        if (round % size_of() == rank_of() && size_of() > 1) {
            CHECK(prepared.await_others());
            CHECK(prepared.count_out() == 0);
        }
        CHECK_MPI(MPI_Start(&alltoall.request));
        std::vector<MPI_Request> all{sum.request,        small.recv.request, small.send.request,
                                     large.recv.request, large.send.request, alltoall.request};
        std::rotate(all.begin(), all.begin() + (rank_of() + round) % 6, all.end());
        prepared.pass([&] { return MPIX_Pbuf_prepareall(6, all.data()); });
        finish(alltoall);
        finish(sum);
        small.mark_and_finish();
        large.mark_and_finish();
    }
}

TEST_CASE("who only receives is not held up by who sends late") {
    Prepared prepared;
    PartedOperation bcast({.row = &row_of("Pbcast"), .granules = 2, .root = 0});
    for (int round = 0; round < 3; round++) {
        if (rank_of() == 0) std::this_thread::sleep_for(std::chrono::milliseconds(5));
        bcast.start(round);
        prepared.pass([&] { return MPIX_Pbuf_prepare(bcast.request); });
        finish(bcast);
    }
}

TEST_CASE("with nobody there is nothing to wait for") {
    RecvEnd recv({4, 2}, {MPI_PROC_NULL, 3});
    SendEnd send({4, 2}, {MPI_PROC_NULL, 3});
    for (int round = 0; round < 3; round++) {
        recv.start(round);
        CHECK_MPI(MPIX_Pbuf_prepare(recv.request));
        recv.finish();
        send.start(round);
        CHECK_MPI(MPIX_Pbuf_prepare(send.request));
        send.mark_all(1);
        send.finish();
    }
    CHECK_MPI(MPIX_Pbuf_prepareall(0, nullptr));
}

TEST_CASE("what is not active or not partitioned is not prepared, nor is any other of the call") {
    const ErrorsReturn guard;
    OnePair pair(3, 7);
    PartedOperation sum({.row = &row_of("Pallreduce"), .granules = 2});
    int value = 0;
    MPI_Request host = MPI_REQUEST_NULL;
    CHECK_MPI(MPI_Recv_init(&value, 1, MPI_INT, 0, 3, MPI_COMM_SELF, &host));
    for (int round = 0; round < 3; round++) {
        for (const MPI_Request wrong :
             {host, MPI_Request{MPI_REQUEST_NULL}, pair.send.request, sum.request})
            check_error(MPIX_Pbuf_prepare(wrong), {MPI_ERR_REQUEST}, {"MPIX_Pbuf_prepare"});
        pair.recv.start(round);
        pair.send.start(round);
        for (const MPI_Request wrong : {host, MPI_Request{MPI_REQUEST_NULL}, sum.request}) {
            MPI_Request requests[] = {pair.send.request, pair.recv.request, wrong};
            check_error(MPIX_Pbuf_prepareall(3, requests), {MPI_ERR_REQUEST},
                        {"MPIX_Pbuf_prepareall"});
        }
        CHECK(class_of(MPIX_Pbuf_prepareall(-1, &pair.send.request)) == MPI_ERR_ARG);
        CHECK(class_of(MPIX_Pbuf_prepareall(1, nullptr)) == MPI_ERR_ARG);
        MPI_Request both[] = {pair.send.request, pair.recv.request};
        CHECK_MPI(MPIX_Pbuf_prepareall(2, both));
        pair.mark_and_finish();
        sum.start(round);
        CHECK_MPI(MPIX_Pbuf_prepare(sum.request));
        finish(sum);
    }
    CHECK_MPI(MPI_Request_free(&host));
}
