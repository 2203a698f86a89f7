// SPDX-License-Identifier: BSD-3-Clause
// Persistent messages of the program, which go to the host, through a library that looks at every
// request while one of its own is alive.
#include "completion/point_to_point.hpp"

using namespace mpitest;

namespace {

constexpr int buffer_bytes = 1 << 16;

void start_pair(Requests& pair, bool ready, std::size_t round) {
    if (round % 2 == 1 && !ready) {
        CHECK_MPI(MPI_Startall(2, pair.data()));
        return;
    }
    const std::size_t first = ready || round % 4 == 0 ? 0 : 1;
    CHECK_MPI(MPI_Start(&pair[first]));
    if (ready) CHECK_MPI(MPI_Barrier(MPI_COMM_WORLD));
    CHECK_MPI(MPI_Start(&pair[1 - first]));
}

// To MPICH 4.0 a persistent request to or from MPI_PROC_NULL is inactive even when it is started.
const bool nobody_is_active = mpich_version() == 0;

void check_nobody(const Outcome& outcome, std::size_t recv, std::size_t send) {
    MPI_Status status = outcome.statuses[recv];
    const bool was_told = outcome.codes[recv] == MPI_SUCCESS;
    CHECK((was_told || !nobody_is_active));
    CHECK((outcome.codes[send] == MPI_SUCCESS || !nobody_is_active));
    if (nobody_is_active) CHECK(status.MPI_SOURCE == MPI_PROC_NULL);
    status.MPI_SOURCE = MPI_ANY_SOURCE;
    if (was_told) CHECK(is_empty(status));
}

// Round the ring, completed each round in another way.
void exchange(const SendKind& send, const RecvKind& recv) {
    INFO(send.name << " to " << recv.name);
    const Ring ring;
    int sent = 0, received = -1;
    Requests pair(2, MPI_REQUEST_NULL);
    CHECK_MPI(recv.init(&received, 1, MPI_INT, ring.previous, 40, MPI_COMM_WORLD, &pair[0]));
    CHECK_MPI(send.init(&sent, 1, MPI_INT, ring.next, 40, MPI_COMM_WORLD, &pair[1]));
    for (std::size_t round = 0; round < std::size(completions); round++) {
        INFO(completions[round].name);
        sent = static_cast<int>(round) * 100 + ring.me;
        received = -1;
        start_pair(pair, send.ready, round);
        const Outcome outcome = complete(completions[round], pair);
        CHECK(received == static_cast<int>(round) * 100 + ring.previous);
        check_received(outcome, 0, ring.previous, 40);
        CHECK(outcome.codes[1] == MPI_SUCCESS);
        CHECK(pair[0] != MPI_REQUEST_NULL);
        CHECK(pair[1] != MPI_REQUEST_NULL);
        MPI_Status status = spoiled_status();
        CHECK_MPI(MPI_Wait(&pair[0], &status));
        CHECK(is_empty(status));
    }
    for (MPI_Request& request : pair) free_request(request);
}

// An array of everything: persistent messages of three kinds, to and from nobody, ours, plain ones.
struct Everything {
    enum Slot : std::size_t {
        recv_buffered,
        ours,
        recv_synchronous,
        recv_nobody,
        recv_plain,
        ours_too,
        send_buffered,
        send_synchronous,
        send_nobody,
        startable, // up to here
        isend = startable,
        irecv,
        null,
        asleep,
        slots
    };

    Ring ring;
    Ours first, second;
    int sent[4] = {}, received[5] = {};
    Requests requests = Requests(slots, MPI_REQUEST_NULL);

    Everything() {
        requests[ours] = first.request;
        requests[ours_too] = second.request;
        requests[recv_buffered] = recv_from(ring.previous, 41, received[0]);
        requests[recv_synchronous] = recv_from(ring.previous, 42, received[1]);
        requests[recv_plain] = recv_from(ring.previous, 43, received[2]);
        requests[recv_nobody] = recv_from(MPI_PROC_NULL, 41, received[4]);
        requests[asleep] = recv_from(ring.previous, 45, received[4]);
        requests[send_buffered] = send_to(ring.next, 41, sent[0], MPI_Bsend_init);
        requests[send_synchronous] = send_to(ring.next, 42, sent[1], MPI_Ssend_init);
        requests[send_nobody] = send_to(MPI_PROC_NULL, 41, sent[0]);
    }
    Everything(const Everything&) = delete;
    Everything& operator=(const Everything&) = delete;
    ~Everything() {
        for (const std::size_t slot : {recv_buffered, recv_synchronous, recv_plain, recv_nobody,
                                       asleep, send_buffered, send_synchronous, send_nobody})
            free_request(requests[slot]);
    }

    void start(int round) {
        first.prepare(round);
        second.prepare(round + 50);
        for (int i = 0; i < 4; i++) sent[i] = round * 100 + i * 10 + ring.me;
        for (int& value : received) value = -1;
        CHECK_MPI(MPI_Startall(static_cast<int>(startable), requests.data()));
        CHECK_MPI(MPI_Isend(&sent[2], 1, MPI_INT, ring.next, 43, MPI_COMM_WORLD, &requests[isend]));
        CHECK_MPI(MPI_Irecv(&received[3], 1, MPI_INT, ring.previous, 44, MPI_COMM_WORLD,
                            &requests[irecv]));
        CHECK_MPI(MPI_Send(&sent[3], 1, MPI_INT, ring.next, 44, MPI_COMM_WORLD));
    }

    static bool is_active(std::size_t slot) {
        if (slot == recv_nobody || slot == send_nobody) return nobody_is_active;
        return slot != null && slot != asleep;
    }

    void check(int round, const Outcome& outcome) const {
        CHECK(first.right(round));
        CHECK(second.right(round + 50));
        for (int i = 0; i < 4; i++) CHECK(received[i] == round * 100 + i * 10 + ring.previous);
        CHECK(received[4] == -1);
        check_received(outcome, recv_buffered, ring.previous, 41);
        check_received(outcome, recv_synchronous, ring.previous, 42);
        check_received(outcome, recv_plain, ring.previous, 43);
        check_received(outcome, irecv, ring.previous, 44);
        check_nobody(outcome, recv_nobody, send_nobody);
        for (std::size_t slot = 0; slot < slots; slot++) {
            const bool gone = slot == isend || slot == irecv || slot == null;
            CHECK((requests[slot] == MPI_REQUEST_NULL) == gone);
            if (is_active(slot)) CHECK(outcome.codes[slot] == MPI_SUCCESS);
        }
    }
};

} // namespace

TEST_CASE("every persistent send meets every persistent receive, completed by every call") {
    with_and_without_plan([] {
        const AttachedBuffer memory(buffer_bytes);
        for (const SendKind& send : send_kinds)
            for (const RecvKind& recv : recv_kinds) exchange(send, recv);
    });
}

TEST_CASE("one array of persistent messages, collectives and plain requests, by every call") {
    const AttachedBuffer memory(buffer_bytes);
    Everything everything;
    int round = 0;
    for (const Completion& way : completions) {
        INFO(way.name);
        for (int again = 0; again < 2; again++, round++) {
            everything.start(round);
            everything.check(round, complete(way, everything.requests));
        }
    }
}

TEST_CASE("a persistent receive from any source with any tag says who sent what") {
    with_and_without_plan([] {
        const Ring ring;
        Ours busy; // its messages are not for the program's wildcards
        int sent = 0, received = -1;
        MPI_Request any = recv_from(MPI_ANY_SOURCE, MPI_ANY_TAG, received);
        Requests sends;
        for (int tag = 0; tag < 3; tag++) sends.push_back(send_to(ring.next, tag, sent));
        for (int round = 0; round < 9; round++) {
            const int tag = round % 3;
            busy.start(round);
            sent = round * 10 + ring.me;
            MPI_Status status = spoiled_status();
            CHECK_MPI(MPI_Start(&any));
            CHECK_MPI(MPI_Start(&sends[static_cast<std::size_t>(tag)]));
            CHECK_MPI(MPI_Wait(&any, &status));
            CHECK_MPI(MPI_Wait(&sends[static_cast<std::size_t>(tag)], MPI_STATUS_IGNORE));
            CHECK(received == round * 10 + ring.previous);
            CHECK(status.MPI_SOURCE == ring.previous);
            CHECK(status.MPI_TAG == tag);
            CHECK_MPI(MPI_Wait(&busy.request, MPI_STATUS_IGNORE));
            CHECK(busy.right(round));
        }
        for (MPI_Request& send : sends) free_request(send);
        free_request(any);
    });
}

TEST_CASE("persistent messages from everybody to everybody, from any source") {
    with_and_without_plan([] {
        const int me = rank_of(), ranks = size_of();
        const auto n = static_cast<std::size_t>(ranks);
        int sent = 0;
        std::vector<int> received(n);
        Requests requests;
        for (int& value : received) requests.push_back(recv_from(MPI_ANY_SOURCE, 46, value));
        for (int r = 0; r < ranks; r++) requests.push_back(send_to(r, 46, sent));
        for (int round = 0; round < 4; round++) {
            sent = round * 100 + me;
            CHECK_MPI(MPI_Startall(2 * ranks, requests.data()));
            const Outcome outcome = complete(completions[2 * round], requests);
            for (std::size_t i = 0; i < n; i++)
                CHECK(received[i] == round * 100 + outcome.statuses[i].MPI_SOURCE);
            std::sort(received.begin(), received.end());
            CHECK(std::unique(received.begin(), received.end()) == received.end());
            CHECK_MPI(MPI_Barrier(MPI_COMM_WORLD)); // no message of the next round before
        }
        for (MPI_Request& request : requests) free_request(request);
    });
}

TEST_CASE("persistent messages with nobody complete at once, and a collective made later works") {
    with_and_without_plan([] {
        const AttachedBuffer memory(buffer_bytes);
        for (const SendKind& kind : send_kinds) {
            INFO(kind.name);
            int untouched = 7;
            Requests pair{recv_from(MPI_PROC_NULL, 3, untouched),
                          send_to(MPI_PROC_NULL, 3, untouched, kind.init)};
            for (const Completion& way : completions) {
                CHECK_MPI(MPI_Startall(2, pair.data()));
                const Outcome outcome = complete(way, pair);
                check_nobody(outcome, 0, 1);
            }
            CHECK(untouched == 7);
            for (MPI_Request& request : pair) free_request(request);
            Ours later;
            for (int round = 0; round < 2; round++) later.run(round);
        }
    });
}

TEST_CASE("persistent messages of every kind to oneself arrive") {
    with_and_without_plan([] {
        const AttachedBuffer memory(buffer_bytes);
        for (const SendKind& kind : send_kinds)
            for (const MPI_Comm comm : {MPI_COMM_SELF, MPI_COMM_WORLD}) {
                INFO(kind.name);
                const int me = rank_of(comm);
                int sent = 0, received = -1;
                Requests pair(2, MPI_REQUEST_NULL);
                CHECK_MPI(MPI_Recv_init(&received, 1, MPI_INT, me, 4, comm, &pair[0]));
                CHECK_MPI(kind.init(&sent, 1, MPI_INT, me, 4, comm, &pair[1]));
                for (int round = 0; round < 5; round++) {
                    sent = round + 30;
                    CHECK_MPI(MPI_Startall(2, pair.data())); // in order: the receive first
                    CHECK_MPI(MPI_Waitall(2, pair.data(), MPI_STATUSES_IGNORE));
                    CHECK(received == round + 30);
                }
                for (MPI_Request& request : pair) free_request(request);
            }
    });
}
