// SPDX-License-Identifier: BSD-3-Clause
// Partitioned sends and receives bring the right data: any numbers of partitions at the two ends,
// any neighbours, many operations, many rounds.
#include "partitioned/pairs.hpp"

using namespace mpitest;

namespace {

// From each rank to the next, cut here and there.
void run_ring(const Cut& send, const Cut& recv, int rounds = 3) {
    INFO(send.parts << " partitions of " << send.count << " to " << recv.parts);
    const Ring ring;
    Sends sends;
    Recvs recvs;
    sends.push_back(
        std::make_unique<SendEnd>(send, Envelope{ring.next, 3, MPI_COMM_WORLD, ring.me}));
    recvs.push_back(
        std::make_unique<RecvEnd>(recv, Envelope{ring.previous, 3, MPI_COMM_WORLD, ring.previous}));
    run_rounds(sends, recvs, rounds);
}

int highest_tag() {
    int* limit = nullptr;
    int found = 0;
    CHECK_MPI(MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &limit, &found));
    return found ? *limit : 32767;
}

} // namespace

TEST_CASE("any number of partitions meets any other") {
    const int ints = 840;
    for (const int send : {1, 2, 3, 7, 8, 24, 120})
        for (const int recv : {1, 2, 5, 8, 21, 120, 840})
            run_ring({send, ints / send}, {recv, ints / recv});
}

TEST_CASE("large partitions") {
    run_ring({4, 30'000}, {4, 30'000});
    run_ring({3, 40'000}, {16, 7'500});
    run_ring({1, 400'000}, {5, 80'000}, 2);
    run_ring({50, 8'000}, {1, 400'000}, 2);
}

TEST_CASE("partitions of nothing") {
    for (const int send : {1, 5})
        for (const int recv : {1, 3}) run_ring({send, 0}, {recv, 0}, 4);
}

TEST_CASE("a great many partitions") {
    run_ring({5'000, 2}, {1'000, 10}, 2);
    run_ring({1, 10'000}, {10'000, 1}, 2);
}

TEST_CASE("hundreds of rounds") {
    run_ring({4, 3}, {3, 4}, 300);
    run_ring({4, 3'000}, {6, 2'000}, 60);
}

TEST_CASE("everyone sends to everyone, itself too") {
    const Ring ring;
    Sends sends;
    Recvs recvs;
    for (int peer = 0; peer < ring.ranks; peer++) {
        const int out = ring.me * 16 + peer, in = peer * 16 + ring.me;
        sends.push_back(std::make_unique<SendEnd>(Cut{out % 5 + 1, 60 / (out % 5 + 1)},
                                                  Envelope{peer, 4, MPI_COMM_WORLD, out}));
        recvs.push_back(std::make_unique<RecvEnd>(Cut{in % 3 + 1, 60 / (in % 3 + 1)},
                                                  Envelope{peer, 4, MPI_COMM_WORLD, in}));
    }
    run_rounds(sends, recvs, 8);
}

TEST_CASE("a process sends to itself, receive first or send first") {
    for (const MPI_Comm comm : {MPI_COMM_SELF, MPI_COMM_WORLD})
        for (const bool recv_first : {true, false})
            for (const int count : {0, 1, 500, 20'000}) {
                const Envelope self{rank_of(comm), 5, comm, 7};
                Sends sends;
                Recvs recvs;
                if (recv_first) recvs.push_back(std::make_unique<RecvEnd>(Cut{2, 2 * count}, self));
                sends.push_back(std::make_unique<SendEnd>(Cut{4, count}, self));
                if (!recv_first)
                    recvs.push_back(std::make_unique<RecvEnd>(Cut{2, 2 * count}, self));
                run_rounds(sends, recvs, 4);
            }
}

TEST_CASE("with nobody all is there, and nothing is touched") {
    const Envelope nobody{MPI_PROC_NULL, 6, MPI_COMM_WORLD, 1};
    SendEnd send({3, 5}, nobody);
    RecvEnd recv({4, 5}, nobody);
    for (int round = 0; round < 3; round++) {
        send.start(round);
        recv.start(round);
        for (int part = 0; part < recv.parts(); part++) CHECK(recv.has(part));
        int flag = -1;
        CHECK_MPI(MPI_Test(&send.request, &flag, MPI_STATUS_IGNORE));
        CHECK(flag == 0); // not all is marked
        send.mark_all(static_cast<std::uint32_t>(round));
        MPI_Status status = spoiled_status();
        recv.finish(status);
        CHECK(status.MPI_SOURCE == MPI_PROC_NULL);
        CHECK(status.MPI_TAG == MPI_ANY_TAG);
        int count = -1;
        CHECK_MPI(MPI_Get_count(&status, MPI_INT, &count));
        CHECK(count == 0);
        send.finish();
    }
}

TEST_CASE("the lowest and the highest tag") {
    const Ring ring;
    for (const int tag : {0, highest_tag() - 1, highest_tag()}) {
        Sends sends;
        Recvs recvs;
        sends.push_back(std::make_unique<SendEnd>(
            Cut{2, 3}, Envelope{ring.next, tag, MPI_COMM_WORLD, ring.me}));
        recvs.push_back(std::make_unique<RecvEnd>(
            Cut{3, 2}, Envelope{ring.previous, tag, MPI_COMM_WORLD, ring.previous}));
        run_rounds(sends, recvs);
    }
}

TEST_CASE("a thousand operations at once") {
    const Ring ring;
    Sends sends;
    Recvs recvs;
    for (int i = 0; i < 1'000; i++) {
        const int tag = i % 50, salt = 1'000 * tag;
        recvs.push_back(std::make_unique<RecvEnd>(
            Cut{i % 2 + 1, 4 / (i % 2 + 1)},
            Envelope{ring.previous, tag, MPI_COMM_WORLD, salt + 10 * ring.previous + i % 7}));
        sends.push_back(std::make_unique<SendEnd>(
            Cut{i % 3 == 0 ? 4 : 2, i % 3 == 0 ? 1 : 2},
            Envelope{ring.next, tag, MPI_COMM_WORLD, salt + 10 * ring.me + i % 7}));
    }
    run_rounds(sends, recvs, 2);
}
