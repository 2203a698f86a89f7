// SPDX-License-Identifier: BSD-3-Clause
// Persistent messages and plain ones meet in the order they were sent, buffered ones do not wait
// for each other, and none waits for a persistent collective.
#include "completion/point_to_point.hpp"

using namespace mpitest;

namespace {

constexpr int large = 60'000; // not sent before the receiver is there

} // namespace

TEST_CASE("persistent and plain messages match each other in both directions") {
    with_and_without_plan([] {
        const Ring ring;
        int sent = 0, received = -1, plain = 0, plain_received = -1;
        MPI_Request send = send_to(ring.next, 50, sent),
                    recv = recv_from(ring.previous, 51, received);
        for (int round = 0; round < 6; round++) {
            sent = round * 10 + ring.me;
            plain = round * 100 + ring.me;
            MPI_Request isend = MPI_REQUEST_NULL, irecv = MPI_REQUEST_NULL;
            CHECK_MPI(MPI_Start(&recv));
            CHECK_MPI(MPI_Start(&send));
            if (round % 3 == 0) {
                CHECK_MPI(MPI_Sendrecv(&plain, 1, MPI_INT, ring.next, 51, &plain_received, 1,
                                       MPI_INT, ring.previous, 50, MPI_COMM_WORLD,
                                       MPI_STATUS_IGNORE));
            } else if (round % 3 == 1) {
                CHECK_MPI(MPI_Send(&plain, 1, MPI_INT, ring.next, 51, MPI_COMM_WORLD));
                CHECK_MPI(MPI_Recv(&plain_received, 1, MPI_INT, ring.previous, 50, MPI_COMM_WORLD,
                                   MPI_STATUS_IGNORE));
            } else {
                CHECK_MPI(MPI_Irecv(&plain_received, 1, MPI_INT, ring.previous, 50, MPI_COMM_WORLD,
                                    &irecv));
                CHECK_MPI(MPI_Issend(&plain, 1, MPI_INT, ring.next, 51, MPI_COMM_WORLD, &isend));
            }
            MPI_Request all[] = {irecv, recv, isend, send};
            CHECK_MPI(MPI_Waitall(4, all, MPI_STATUSES_IGNORE));
            CHECK(received == round * 100 + ring.previous);
            CHECK(plain_received == round * 10 + ring.previous);
        }
        free_request(send);
        free_request(recv);
    });
}

TEST_CASE("persistent and plain messages with one tag arrive in the order they were sent") {
    with_and_without_plan([] {
        const Ring ring;
        int sent[4] = {}, received[4] = {};
        Requests sends{send_to(ring.next, 55, sent[0]), MPI_REQUEST_NULL,
                       send_to(ring.next, 55, sent[2], MPI_Ssend_init), MPI_REQUEST_NULL};
        Requests recvs{MPI_REQUEST_NULL, recv_from(ring.previous, 55, received[1]),
                       recv_from(ring.previous, MPI_ANY_TAG, received[2]), MPI_REQUEST_NULL};
        for (int round = 0; round < 10; round++) {
            for (int i = 0; i < 4; i++) sent[i] = round * 100 + i * 10 + ring.me;
            for (std::size_t i = 0; i < 4; i++) {
                if (i % 2 == 0)
                    CHECK_MPI(MPI_Start(&sends[i]));
                else
                    CHECK_MPI(
                        MPI_Isend(&sent[i], 1, MPI_INT, ring.next, 55, MPI_COMM_WORLD, &sends[i]));
            }
            for (std::size_t i = 0; i < 4; i++) {
                if (i == 1 || i == 2)
                    CHECK_MPI(MPI_Start(&recvs[i]));
                else
                    CHECK_MPI(MPI_Irecv(&received[i], 1, MPI_INT, ring.previous, 55, MPI_COMM_WORLD,
                                        &recvs[i]));
            }
            CHECK_MPI(MPI_Waitall(4, recvs.data(), MPI_STATUSES_IGNORE));
            CHECK_MPI(MPI_Waitall(4, sends.data(), MPI_STATUSES_IGNORE));
            for (int i = 0; i < 4; i++) CHECK(received[i] == round * 100 + i * 10 + ring.previous);
        }
        for (const std::size_t i : {1, 2}) free_request(recvs[i]);
        for (const std::size_t i : {0, 2}) free_request(sends[i]);
    });
}

TEST_CASE("buffered sends start again and again before the first is received") {
    // A started buffered send is complete at once, and its message still on the way: there Open MPI
    // gives the program another handle at the next Start.
    constexpr int rounds = 12;
    const AttachedBuffer memory(rounds *
                                (2 * (large * static_cast<int>(sizeof(int)) + MPI_BSEND_OVERHEAD)));
    with_and_without_plan([] {
        const Ring ring;
        Ours ours;
        std::vector<int> out(large), in(large);
        Requests all{MPI_REQUEST_NULL, ours.request, MPI_REQUEST_NULL};
        for (const std::size_t i : {0, 2})
            CHECK_MPI(
                MPI_Bsend_init(out.data(), large, MPI_INT, ring.next, 56, MPI_COMM_WORLD, &all[i]));
        for (int round = 0; round < rounds; round++) {
            ours.prepare(round);
            out.assign(large, round * 10 + ring.me);
            CHECK_MPI(MPI_Startall(3, all.data()));
            CHECK(all[1] == ours.request);
            CHECK_MPI(MPI_Waitall(3, all.data(), MPI_STATUSES_IGNORE));
            CHECK(ours.right(round));
            for (const MPI_Request request : all) CHECK(request != MPI_REQUEST_NULL);
        }
        for (int message = 0; message < 2 * rounds; message++) {
            CHECK_MPI(MPI_Recv(in.data(), large, MPI_INT, ring.previous, 56, MPI_COMM_WORLD,
                               MPI_STATUS_IGNORE));
            CHECK(in == std::vector<int>(large, message / 2 * 10 + ring.previous));
        }
        for (const std::size_t i : {0, 2}) free_request(all[i]);
    });
}

TEST_CASE("many rounds of persistent messages pass by one active collective") {
    const Ring ring;
    Ours ours;
    int sent = 0, received = -1, wrong = 0;
    Requests pair{recv_from(ring.previous, 57, received), send_to(ring.next, 57, sent)};
    if (ring.me != 0) ours.start(5); // rank 0 joins at the end
    for (int round = 0; round < 500; round++) {
        sent = round + ring.me;
        MPI_Startall(2, pair.data());
        MPI_Waitall(2, pair.data(), MPI_STATUSES_IGNORE);
        wrong += received != round + ring.previous;
    }
    CHECK(wrong == 0);
    if (ring.me == 0) ours.start(5);
    CHECK_MPI(MPI_Wait(&ours.request, MPI_STATUS_IGNORE));
    CHECK(ours.right(5));
    for (MPI_Request& request : pair) free_request(request);
}
