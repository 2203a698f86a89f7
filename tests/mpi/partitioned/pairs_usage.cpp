// SPDX-License-Identifier: BSD-3-Clause
// What programs rely on: nothing arrives that is not marked, one test is enough when all has
// arrived, ends meet whatever the order is in which they are made and started, and their statuses
// say whom they met.
#include "partitioned/pairs.hpp"

#include <array>

using namespace mpitest;

namespace {

int arrived(const RecvEnd& end, int from) {
    int found = 0;
    for (int part = from; part < end.parts(); part++) found += end.has(part);
    return found;
}

// Marked one by one, by the process itself or by the one before.
void mark_in_turn(MPI_Comm comm, int parts, int count) {
    INFO(parts << " partitions of " << count);
    const int ranks = size_of(comm), me = rank_of(comm);
    const int next = (me + 1) % ranks, previous = (me + ranks - 1) % ranks;
    const bool is_own = ranks == 1;
    SendEnd send({parts, count}, {next, 0, comm, rank_of()});
    RecvEnd recv({parts, count}, {previous, 0, comm, is_own ? rank_of() : previous});
    for (int round = 0; round < 3; round++) {
        CHECK_MPI(MPI_Barrier(comm));
        recv.start(round);
        CHECK(arrived(recv, 0) == 0);
        CHECK_MPI(MPI_Barrier(comm));
        send.start(round);
        for (int part = 0; part < parts; part++) {
            send.mark(part);
            if (is_own) CHECK(arrived(recv, part + 1) == 0);
        }
        for (int part = 0; part < parts; part++) {
            recv.await({part}, 1);
            CHECK(recv.has(part));
        }
        recv.finish();
        send.finish();
        CHECK((recv.request != MPI_REQUEST_NULL && send.request != MPI_REQUEST_NULL));
    }
}

MPI_Comm copy_of(MPI_Comm comm) {
    MPI_Comm copy = MPI_COMM_NULL;
    CHECK_MPI(MPI_Comm_dup(comm, &copy));
    return copy;
}

struct Numbers {
    int send, recv, ints;
};

constexpr Numbers some_numbers[] = {{1, 1, 64},   {8, 8, 64},          {1, 16, 64},
                                    {16, 32, 64}, {33, 17, 561},       {17, 33, 561},
                                    {64, 64, 64}, {512, 512, 1 << 16}, {1024, 64, 1 << 16}};

// A partition of the sender is one element, and of the receiver many.
void test_once(const Numbers& numbers, bool backwards) {
    INFO(numbers.send << " to " << numbers.recv << " partitions of " << numbers.ints << " ints");
    MPI_Datatype whole = MPI_DATATYPE_NULL;
    CHECK_MPI(MPI_Type_contiguous(numbers.ints / numbers.send, MPI_INT, &whole));
    const Type type(whole);
    const Ring ring;
    RecvEnd recv({numbers.recv, numbers.ints / numbers.recv},
                 {ring.previous, 1, MPI_COMM_WORLD, ring.previous});
    SendEnd send({numbers.send, 1, type}, {ring.next, 1, MPI_COMM_WORLD, ring.me});
    for (int round = 0; round < 4; round++) {
        recv.start(round);
        send.start(round);
        for (int i = 0; i < numbers.send; i++) send.mark(backwards ? numbers.send - 1 - i : i);
        recv.await_all(static_cast<std::uint32_t>(round));
        int flag = -1;
        CHECK_MPI(MPI_Test(&recv.request, &flag, MPI_STATUS_IGNORE));
        CHECK(flag == 1);
        if (flag != 1) CHECK_MPI(MPI_Wait(&recv.request, MPI_STATUS_IGNORE));
        recv.check();
        send.finish();
    }
}

// Three pairs from each rank to the next, of one tag or one communicator or neither.
struct Three {
    static constexpr int count = 3;
    using Order = std::array<int, count>;
    struct Way {
        int tag;
        MPI_Comm comm;
    };

    const Ring ring;
    std::array<Way, count> ways;
    std::array<std::unique_ptr<SendEnd>, count> sends;
    std::array<std::unique_ptr<RecvEnd>, count> recvs;

    Three(const std::array<Way, count>& of, const Order& send_order, const Order& recv_order)
        : ways(of) {
        const Cut cut{8, 16};
        const auto at = [](int i) { return static_cast<std::size_t>(i); };
        for (const int i : send_order)
            sends[at(i)] = std::make_unique<SendEnd>(
                cut, Envelope{ring.next, ways[at(i)].tag, ways[at(i)].comm, 10 * ring.me + i});
        for (const int i : recv_order)
            recvs[at(i)] =
                std::make_unique<RecvEnd>(cut, Envelope{ring.previous, ways[at(i)].tag,
                                                        ways[at(i)].comm, 10 * ring.previous + i});
    }

    void run(int round, const Order& send_order, const Order& recv_order) {
        for (const int i : recv_order) recvs[static_cast<std::size_t>(i)]->start(round);
        for (const int i : send_order) {
            SendEnd& send = *sends[static_cast<std::size_t>(i)];
            send.start(round);
            send.mark_range(0, send.parts() - 1);
        }
        std::array<MPI_Request, 2 * count> all;
        std::array<MPI_Status, 2 * count> statuses;
        for (std::size_t i = 0; i < count; i++) {
            all[i] = recvs[i]->request;
            all[count + i] = sends[i]->request;
        }
        CHECK_MPI(MPI_Waitall(2 * count, all.data(), statuses.data()));
        for (std::size_t i = 0; i < count; i++) {
            int ints = -1;
            CHECK(statuses[i].MPI_SOURCE == ring.previous);
            CHECK(statuses[i].MPI_TAG == ways[i].tag);
            CHECK_MPI(MPI_Get_count(&statuses[i], MPI_INT, &ints));
            CHECK(ints == 8 * 16);
            recvs[i]->check();
            sends[i]->check();
        }
    }
};

constexpr Three::Order orders[] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2},
                                   {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};

} // namespace

TEST_CASE("what is marked arrives, and nothing else") {
    MPI_Comm self = copy_of(MPI_COMM_SELF), world = copy_of(MPI_COMM_WORLD);
    for (MPI_Comm comm : {MPI_COMM_SELF, MPI_COMM_WORLD, self, world})
        for (int parts = 1; parts < 4; parts++)
            for (const int count : {0, 1, 2, 3, 2000}) mark_in_turn(comm, parts, count);
    MPI_Comm_free(&self);
    MPI_Comm_free(&world);
}

TEST_CASE("when all partitions have arrived one test completes the receive") {
    for (const Numbers& numbers : some_numbers)
        for (const bool backwards : {false, true}) test_once(numbers, backwards);
}

TEST_CASE("pairs of one tag meet in the order of their inits, whichever is started first") {
    for (const auto& send_order : orders)
        for (const auto& recv_order : orders) {
            Three three({{{5, MPI_COMM_WORLD}, {5, MPI_COMM_WORLD}, {5, MPI_COMM_WORLD}}},
                        orders[0], orders[0]);
            for (int round = 0; round < 2; round++) three.run(round, send_order, recv_order);
        }
}

TEST_CASE("pairs of different tags meet whatever the order of their inits") {
    for (const auto& send_order : orders)
        for (const auto& recv_order : orders) {
            Three three({{{0, MPI_COMM_WORLD}, {1, MPI_COMM_WORLD}, {2, MPI_COMM_WORLD}}},
                        send_order, recv_order);
            for (int round = 0; round < 2; round++) three.run(round, recv_order, send_order);
        }
}

TEST_CASE("pairs of different communicators meet whatever the order of their inits") {
    MPI_Comm copies[3] = {copy_of(MPI_COMM_WORLD), copy_of(MPI_COMM_WORLD),
                          copy_of(MPI_COMM_WORLD)};
    for (const auto& send_order : orders)
        for (const auto& recv_order : orders) {
            Three three({{{0, copies[0]}, {0, copies[1]}, {0, copies[2]}}}, send_order, recv_order);
            for (int round = 0; round < 2; round++) three.run(round, recv_order, send_order);
        }
    for (MPI_Comm& copy : copies) MPI_Comm_free(&copy);
}

TEST_CASE("who has marked everything goes on before its receiver is made") {
    const Ring ring;
    SendEnd send({4, 0}, {ring.next, 8, MPI_COMM_WORLD, ring.me});
    SendEnd other({4, 3}, {ring.next, 9, MPI_COMM_WORLD, ring.me});
    for (SendEnd* end : {&send, &other}) {
        end->start(0);
        end->mark_all(1);
    }
    int token = ring.me, got = -1;
    CHECK_MPI(MPI_Sendrecv(&token, 1, MPI_INT, ring.next, 3, &got, 1, MPI_INT, ring.previous, 3,
                           MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    RecvEnd recv({2, 0}, {ring.previous, 8, MPI_COMM_WORLD, ring.previous});
    RecvEnd second({6, 2}, {ring.previous, 9, MPI_COMM_WORLD, ring.previous});
    for (RecvEnd* end : {&second, &recv}) {
        end->start(0);
        end->finish();
    }
    send.finish();
    other.finish();
}
