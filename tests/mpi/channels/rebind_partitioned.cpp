// SPDX-License-Identifier: BSD-3-Clause
// Partitioned operations that get other buffers between rounds, each rank when it likes; what they
// had before stays as it was.
#include "channels/rebinding.hpp"
#include "partitioned/partitioned_requests.hpp"
#include "partitioned/partitioned_rounds.hpp"

using namespace mpitest;

namespace {

void rebind(PairEnd& end, bool sends, Left& left) {
    left.add(replace(end.buffer));
    CHECK_MPI(sends ? MPIX_Request_rebind(end.request, end.buffer.data(), nullptr)
                    : MPIX_Request_rebind(end.request, nullptr, end.buffer.data()));
}

// From each rank to the next. Before the first round the other end may not be known.
void run_pair(const Cut& send, const Cut& recv, int rounds = 5) {
    INFO(send.parts << " partitions of " << send.count << " to " << recv.parts);
    const Ring ring;
    Sends sends;
    Recvs recvs;
    sends.push_back(
        std::make_unique<SendEnd>(send, Envelope{ring.next, 3, MPI_COMM_WORLD, ring.me}));
    Left left;
    Whim whim(static_cast<std::uint32_t>(send.count));
    if (whim.rebinds()) rebind(*sends[0], true, left);
    recvs.push_back(
        std::make_unique<RecvEnd>(recv, Envelope{ring.previous, 3, MPI_COMM_WORLD, ring.previous}));
    for (int round = 0; round < rounds; round++) {
        if (whim.rebinds()) rebind(*sends[0], true, left);
        if (whim.rebinds()) rebind(*recvs[0], false, left);
        run_round(sends, recvs, round);
    }
    left.check();
}

void run(const PartedCase& of, int rounds = 4) {
    PartedOperation operation(of);
    INFO(operation.text());
    Left left;
    Whim whim(of.seed);
    for (int round = 0; round < rounds; round++) {
        if (whim.rebinds())
            for (Buffer& old : operation.rebind()) left.add(std::move(old));
        run_round(operation, round);
    }
    left.check();
}

template<class Run>
void each_operation(Run run_with) {
    for (const Partitioned& row : partitioned_calls)
        if (!row.is_neighbor())
            for (const int root : roots_of(row)) run_with(row, root);
}

} // namespace

TEST_CASE("partitioned sends and receives") {
    for (const int send : {1, 3, 8, 120})
        for (const int recv : {1, 5, 8, 120}) run_pair({send, 120 / send}, {recv, 120 / recv});
    run_pair({5, 0}, {3, 0});
}

TEST_CASE("long partitions, which may be left to be read") {
    run_pair({4, 30'000}, {4, 30'000});
    run_pair({3, 40'000}, {16, 7'500});
    run_pair({1, 400'000}, {5, 80'000}, 3);
    run_pair({4, 262'144}, {4, 262'144}, 3);
}

TEST_CASE("partitions with gaps") {
    const Type gaps = vector_of(2, 1, 3);
    run_pair({4, 6, gaps}, {6, 4, gaps});
    run_pair({4, 6, gaps}, {8, 6, MPI_INT});
    run_pair({8, 6'000, MPI_INT}, {4, 6'000, gaps}, 3);
}

TEST_CASE("an end whose other end comes later, while it is active") {
    const Ring ring;
    Left left;
    SendEnd send({4, 5}, {ring.next, 8, MPI_COMM_WORLD, ring.me});
    rebind(send, true, left);
    send.start(0);
    send.mark_all(3);
    MPI_Barrier(MPI_COMM_WORLD);
    RecvEnd recv({2, 10}, {ring.previous, 8, MPI_COMM_WORLD, ring.previous});
    rebind(recv, false, left);
    recv.start(0);
    recv.finish();
    send.finish();
    rebind(send, true, left);
    send.start(1);
    recv.start(1);
    send.mark_all(4);
    recv.finish();
    send.finish();
    left.check();
}

TEST_CASE("requests for single partitions go on") {
    OnePair pair;
    Left left;
    PartRequests parts(pair.recv.request, 6);
    for (int round = 0; round < 4; round++) {
        pair.start(round);
        pair.send.mark_all(static_cast<std::uint32_t>(round));
        CHECK_MPI(MPI_Waitall(parts.size(), parts.requests.data(), MPI_STATUSES_IGNORE));
        pair.finish();
        rebind(round % 2 ? static_cast<PairEnd&>(pair.send) : pair.recv, round % 2, left);
    }
    left.check();
}

TEST_CASE("memory of MPI_Alloc_mem and other memory by turns") {
    const Ring ring;
    constexpr int parts = 4, ints = 1 << 16, all = parts * ints;
    int* shared = nullptr;
    CHECK_MPI(MPI_Alloc_mem(all * sizeof(int), MPI_INFO_NULL, &shared));
    std::vector<int> heap(all), into(all);
    MPI_Request requests[2] = {};
    CHECK_MPI(MPI_Psend_init(shared, parts, ints, MPI_INT, ring.next, 2, MPI_COMM_WORLD,
                             MPI_INFO_NULL, &requests[0]));
    CHECK_MPI(MPI_Precv_init(into.data(), parts, ints, MPI_INT, ring.previous, 2, MPI_COMM_WORLD,
                             MPI_INFO_NULL, &requests[1]));
    for (int round = 0; round < 5; round++) {
        int* const now = round % 2 ? heap.data() : shared;
        CHECK_MPI(MPI_Startall(2, requests));
        for (int part = 0; part < parts; part++) {
            for (int i = part * ints; i < (part + 1) * ints; i++)
                now[i] = value_at(ring.me, round, static_cast<std::size_t>(i));
            CHECK_MPI(MPI_Pready(part, requests[0]));
        }
        CHECK_MPI(MPI_Waitall(2, requests, MPI_STATUSES_IGNORE));
        int wrong = 0;
        for (std::size_t i = 0; i < into.size(); i++)
            wrong += into[i] != value_at(ring.previous, round, i);
        CHECK(wrong == 0);
        CHECK_MPI(MPIX_Request_rebind(requests[0], round % 2 ? shared : heap.data(), nullptr));
    }
    for (MPI_Request& request : requests) free_request(request);
    CHECK_MPI(MPI_Free_mem(shared));
}

TEST_CASE("partitioned collectives of small partitions") {
    each_operation([](const Partitioned& row, int root) {
        for (std::uint32_t seed = 1; seed <= 2; seed++)
            run({.row = &row, .granules = 1, .root = root, .seed = seed});
    });
}

TEST_CASE("partitioned collectives of many bytes") {
    each_operation([](const Partitioned& row, int root) {
        if (root != 0) return;
        run({.row = &row, .granules = 900, .seed = 5});
        run({.row = &row, .granules = 9'000, .seed = 6}, 3);
    });
}

TEST_CASE("partitioned collectives in place") {
    each_operation([](const Partitioned& row, int root) {
        if (!row.may_be_in_place()) return;
        for (const int granules : {1, 700})
            run({.row = &row, .granules = granules, .root = root, .in_place = true, .seed = 2});
    });
}

TEST_CASE("partitioned collectives of datatypes with gaps") {
    const Type gaps = vector_of(2, 1, 3), wide = resized(MPI_INT, 0, 12);
    each_operation([&](const Partitioned& row, int root) {
        if (row.reduces()) return;
        for (const int granules : {1, 500})
            run({.row = &row,
                 .granules = granules,
                 .root = root,
                 .seed = 7,
                 .send = {{gaps, 1}},
                 .recv = {{wide, 2}}});
    });
}

TEST_CASE("members of a bundle, while that is inactive") {
    OnePair pair;
    Left left;
    int from[2] = {1, 1}, into[2] = {};
    MPI_Request members[3] = {pair.recv.request, pair.send.request}, bundle = MPI_REQUEST_NULL;
    CHECK_MPI(MPI_Allreduce_init(&from[0], &into[0], 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD,
                                 MPI_INFO_NULL, &members[2]));
    CHECK_MPI(MPIX_Bundle_init(3, members, MPI_INFO_NULL, &bundle));
    for (int round = 0; round < 4; round++) {
        into[0] = into[1] = 0;
        pair.recv.prepare(round);
        pair.send.prepare(round);
        CHECK_MPI(MPI_Start(&bundle));
        pair.send.mark_all(1);
        CHECK_MPI(MPI_Wait(&bundle, MPI_STATUS_IGNORE));
        pair.recv.check();
        pair.send.check();
        CHECK(into[round % 2] == size_of());
        CHECK(into[1 - round % 2] == 0);
        rebind(pair.recv, false, left);
        rebind(pair.send, true, left);
        CHECK_MPI(MPIX_Request_rebind(members[2], &from[1 - round % 2], &into[1 - round % 2]));
    }
    free_request(bundle);
    free_request(members[2]);
    left.check();
}
