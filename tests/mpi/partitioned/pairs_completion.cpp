// SPDX-License-Identifier: BSD-3-Clause
// Partitioned sends and receives are completed by every call, in one array with all other requests;
// what their statuses say.
#include "common/plans.hpp"
#include "common/ways.hpp"
#include "partitioned/pairs.hpp"

using namespace mpitest;

namespace {

// An array of everything: both ends twice, with nobody, inactive ones, and what is not partitioned.
struct Everything {
    enum Slot : std::size_t {
        recv,
        send,
        ours,
        recv_large,
        recv_nobody,
        persistent_recv,
        send_large,
        send_nobody,
        persistent_send,
        startable, // up to here
        irecv = startable,
        isend,
        null,
        asleep,
        slots
    };

    Ring ring;
    Ours sum;
    RecvEnd small_in{{3, 2}, {ring.previous, 50, MPI_COMM_WORLD, ring.previous}};
    SendEnd small_out{{2, 3}, {ring.next, 50, MPI_COMM_WORLD, ring.me}};
    RecvEnd large_in{{4, 15'000}, {ring.previous, 51, MPI_COMM_WORLD, ring.previous}};
    SendEnd large_out{{6, 10'000}, {ring.next, 51, MPI_COMM_WORLD, ring.me}};
    RecvEnd nobody_in{{4, 2}, {MPI_PROC_NULL, 52}};
    SendEnd nobody_out{{4, 2}, {MPI_PROC_NULL, 52}};
    SendEnd sleeping{{4, 2}, {ring.next, 53}};
    int sent = 0, received = -1, sent_once = 0, received_once = -1;
    Requests requests = Requests(slots, MPI_REQUEST_NULL);

    Everything() {
        requests[recv] = small_in.request;
        requests[send] = small_out.request;
        requests[ours] = sum.request;
        requests[recv_large] = large_in.request;
        requests[recv_nobody] = nobody_in.request;
        requests[send_large] = large_out.request;
        requests[send_nobody] = nobody_out.request;
        requests[asleep] = sleeping.request;
        CHECK_MPI(MPI_Recv_init(&received, 1, MPI_INT, ring.previous, 50, MPI_COMM_WORLD,
                                &requests[persistent_recv]));
        CHECK_MPI(MPI_Send_init(&sent, 1, MPI_INT, ring.next, 50, MPI_COMM_WORLD,
                                &requests[persistent_send]));
    }
    Everything(const Everything&) = delete;
    Everything& operator=(const Everything&) = delete;
    ~Everything() {
        free_request(requests[persistent_recv]);
        free_request(requests[persistent_send]);
    }

    void start(int round) {
        sum.prepare(round);
        for (RecvEnd* end : {&small_in, &large_in, &nobody_in}) end->prepare(round);
        for (SendEnd* end : {&small_out, &large_out, &nobody_out}) end->prepare(round);
        sent = sent_once = round * 100 + ring.me;
        received = received_once = -1;
        CHECK_MPI(MPI_Startall(static_cast<int>(startable), requests.data()));
        CHECK_MPI(MPI_Irecv(&received_once, 1, MPI_INT, ring.previous, 51, MPI_COMM_WORLD,
                            &requests[irecv]));
        CHECK_MPI(
            MPI_Isend(&sent_once, 1, MPI_INT, ring.next, 51, MPI_COMM_WORLD, &requests[isend]));
    }
    void mark(int round) {
        const auto seed = static_cast<std::uint32_t>(round);
        for (SendEnd* end : {&small_out, &large_out, &nobody_out}) end->mark_all(seed);
    }
    static bool can_complete(std::size_t slot) { return slot != null && slot != asleep; }
    void check_status(const Outcome& outcome, std::size_t slot, int source, int tag, int ints) {
        INFO("slot " << slot);
        const MPI_Status& status = outcome.statuses[slot];
        CHECK(status.MPI_SOURCE == source);
        CHECK(status.MPI_TAG == tag);
        int count = -1, elements = -1, pieces = -1, cancelled = -1;
        CHECK_MPI(MPI_Get_count(&status, MPI_INT, &count));
        CHECK_MPI(MPI_Get_elements(&status, MPI_INT, &elements));
        CHECK_MPI(MPI_Get_count(&status, MPI_BYTE, &pieces));
        CHECK_MPI(MPI_Test_cancelled(&status, &cancelled));
        CHECK(count == ints);
        CHECK(elements == ints);
        CHECK(pieces == 4 * ints);
        CHECK(cancelled == 0);
    }
    void check(int round, const Outcome& outcome) {
        CHECK(sum.right(round));
        for (RecvEnd* end : {&small_in, &large_in, &nobody_in}) end->check();
        for (SendEnd* end : {&small_out, &large_out, &nobody_out}) end->check();
        CHECK(received == round * 100 + ring.previous);
        CHECK(received_once == round * 100 + ring.previous);
        check_status(outcome, recv, ring.previous, 50, 6);
        check_status(outcome, recv_large, ring.previous, 51, 60'000);
        check_status(outcome, recv_nobody, MPI_PROC_NULL, MPI_ANY_TAG, 0);
        check_status(outcome, persistent_recv, ring.previous, 50, 1);
        check_status(outcome, irecv, ring.previous, 51, 1);
        for (std::size_t slot = 0; slot < slots; slot++) {
            INFO("slot " << slot);
            if (can_complete(slot)) CHECK(outcome.codes[slot] == MPI_SUCCESS);
            const bool is_gone = slot == irecv || slot == isend || slot == null;
            CHECK((requests[slot] == MPI_REQUEST_NULL) == is_gone);
        }
    }
};

// One pair from each rank to the next.
struct OnePair : RingPair {
    OnePair() : RingPair({3, 4}, {4, 3}) {}
};

} // namespace

TEST_CASE("one array of everything, by every call") {
    Everything everything;
    int round = 0;
    for (const Completion& way : completions) {
        INFO(way.name);
        for (int again = 0; again < 3; again++, round++) {
            everything.start(round);
            everything.mark(round);
            everything.check(round, complete(way, everything.requests));
        }
    }
}

TEST_CASE("what is not marked does not complete, and hinders no other") {
    OnePair pair, held;
    for (int round = 0; round < 4; round++) {
        pair.start(round);
        held.start(round);
        pair.send.mark_all(1);
        held.send.mark(0);
        held.send.mark(2);
        MPI_Request requests[] = {held.send.request, held.recv.request, pair.send.request,
                                  pair.recv.request};
        int index[2] = {-5, -5}, flag = -1, indices[4];
        for (int& found : index) CHECK_MPI(MPI_Waitany(4, requests, &found, MPI_STATUS_IGNORE));
        CHECK(std::min(index[0], index[1]) == 2);
        CHECK(std::max(index[0], index[1]) == 3);
        for (int turn = 0; turn < 20; turn++) {
            CHECK_MPI(MPI_Testall(4, requests, &flag, MPI_STATUSES_IGNORE));
            CHECK(flag == 0);
            CHECK_MPI(MPI_Testany(4, requests, index, &flag, MPI_STATUS_IGNORE));
            CHECK(flag == 0);
            CHECK_MPI(MPI_Testsome(4, requests, &flag, indices, MPI_STATUSES_IGNORE));
            CHECK(flag == 0);
            CHECK_MPI(MPI_Test(requests, &flag, MPI_STATUS_IGNORE));
            CHECK(flag == 0);
            CHECK_MPI(MPI_Request_get_status(requests[0], &flag, MPI_STATUS_IGNORE));
            CHECK(flag == 0);
        }
        // No rank's messages go before all have looked.
        CHECK_MPI(MPI_Barrier(MPI_COMM_WORLD));
        held.send.mark(3);
        held.send.mark(1);
        CHECK_MPI(MPI_Waitall(4, requests, MPI_STATUSES_IGNORE));
        pair.recv.check();
        held.recv.check();
    }
}

TEST_CASE("Request_get_status tells, and completes nothing") {
    OnePair pair;
    for (int round = 0; round < 3; round++) {
        pair.start(round);
        pair.send.mark_all(2);
        int flag = 0, count = -1;
        MPI_Status status = spoiled_status();
        while (flag == 0) {
            CHECK_MPI(MPI_Request_get_status(pair.recv.request, &flag, &status));
            pause_briefly();
        }
        for (int again = 0; again < 2; again++) {
            CHECK(status.MPI_SOURCE == pair.ring.previous);
            CHECK(status.MPI_TAG == 7);
            CHECK_MPI(MPI_Get_count(&status, MPI_INT, &count));
            CHECK(count == 12);
            status = spoiled_status();
            CHECK_MPI(MPI_Request_get_status(pair.recv.request, &flag, &status));
            CHECK(flag == 1);
        }
        pair.recv.finish(status);
        CHECK(status.MPI_SOURCE == pair.ring.previous);
        CHECK_MPI(MPI_Wait(&pair.recv.request, &status)); // inactive
        CHECK(is_empty(status));
        pair.send.finish();
    }
}

TEST_CASE("a status counts elements of the program's datatype") {
    const Ring ring;
    const Type triple = vector_of(1, 3, 3);
    RecvEnd recv({2, 2, triple}, {ring.previous, 1, MPI_COMM_WORLD, ring.previous});
    SendEnd send({4, 3}, {ring.next, 1, MPI_COMM_WORLD, ring.me});
    recv.start(0);
    send.start(0);
    send.mark_all(1);
    MPI_Status status = spoiled_status();
    recv.finish(status);
    send.finish();
    int count = -1, elements = -1;
    CHECK_MPI(MPI_Get_count(&status, triple, &count));
    CHECK_MPI(MPI_Get_elements(&status, triple, &elements));
    CHECK(count == 4);
    CHECK(elements == 12);
}

TEST_CASE("inactive ones are no hindrance and complete at once") {
    OnePair pair;
    for (int time = 0; time < 2; time++) {
        MPI_Request requests[] = {pair.send.request, pair.recv.request};
        int index = -5, flag = -1, indices[2];
        MPI_Status status = spoiled_status();
        CHECK_MPI(MPI_Waitany(2, requests, &index, &status));
        CHECK(index == MPI_UNDEFINED);
        CHECK(is_empty(status));
        CHECK_MPI(MPI_Testany(2, requests, &index, &flag, MPI_STATUS_IGNORE));
        CHECK((flag == 1 && index == MPI_UNDEFINED));
        CHECK_MPI(MPI_Waitsome(2, requests, &index, indices, MPI_STATUSES_IGNORE));
        CHECK(index == MPI_UNDEFINED);
        CHECK_MPI(MPI_Waitall(2, requests, MPI_STATUSES_IGNORE));
        CHECK_MPI(MPI_Test(&requests[0], &flag, &status));
        CHECK((flag == 1 && is_empty(status)));
        CHECK_MPI(MPI_Request_get_status(requests[1], &flag, &status));
        CHECK((flag == 1 && is_empty(status)));
        pair.start(time);
        pair.send.mark_all(3);
        pair.finish();
    }
}
