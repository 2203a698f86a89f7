// SPDX-License-Identifier: BSD-3-Clause
// What has no data arrives like all else: when its sender has started and marked it, and not
// before. No count, no data in the datatype, and ends of which one alone is empty.
#include "partitioned/pairs.hpp"

using namespace mpitest;

namespace {

bool is_done(MPI_Request& request) {
    int flag = -1;
    CHECK_MPI(MPI_Test(&request, &flag, MPI_STATUS_IGNORE));
    return flag != 0;
}

// How often the receive says that something has come, while all ranks look.
int come(RecvEnd& end) {
    int found = 0;
    for (int look = 0; look < 2; look++) {
        for (int turn = 0; turn < 15; turn++) {
            for (int part = 0; part < end.parts(); part++) found += end.has(part);
            found += is_done(end.request);
            pause_briefly();
        }
        CHECK_MPI(MPI_Barrier(MPI_COMM_WORLD));
    }
    return found;
}

struct Parts {
    int send, recv;
};

constexpr Parts some_parts[] = {{1, 1}, {2, 1}, {1, 3}, {4, 6}, {20, 20}};

// Round the ring. The last partition alone is held back at the end.
void hold_back(const Cut& sent, const Cut& received) {
    INFO(sent.parts << " to " << received.parts << " partitions");
    const Ring ring;
    RecvEnd recv(received, {ring.previous, 1, MPI_COMM_WORLD, ring.previous});
    SendEnd send(sent, {ring.next, 1, MPI_COMM_WORLD, ring.me});
    for (int round = 0; round < 3; round++) {
        INFO("round " << round);
        recv.start(round);
        CHECK(come(recv) == 0);
        send.start(round);
        CHECK(come(recv) == 0);
        if (sent.parts > 1) send.mark_range(0, sent.parts - 2);
        CHECK(come(recv) == 0);
        send.mark(sent.parts - 1);
        recv.await_all(static_cast<std::uint32_t>(round));
        MPI_Status status = spoiled_status();
        recv.finish(status);
        int bytes = -1;
        CHECK_MPI(MPI_Get_count(&status, MPI_BYTE, &bytes));
        CHECK(bytes == 0);
        CHECK(status.MPI_SOURCE == ring.previous);
        CHECK(status.MPI_TAG == 1);
        send.finish();
    }
}

void hold_back(int count, MPI_Datatype type) {
    for (const auto& [send, recv] : some_parts) hold_back({send, count, type}, {recv, count, type});
}

Type nothing_of(MPI_Datatype type) {
    MPI_Datatype made = MPI_DATATYPE_NULL;
    MPI_Type_contiguous(0, type, &made);
    return Type(made);
}

Type empty_struct() {
    MPI_Datatype made = MPI_DATATYPE_NULL;
    const int length = 0;
    const MPI_Aint place = 0;
    const MPI_Datatype of = MPI_INT;
    MPI_Type_create_struct(0, &length, &place, &of, &made);
    return Type(made);
}

// Sends to all other ranks, or to this one where there is no other, and receives from each.
struct Neighbourhood {
    std::vector<int> peers;
    Sends sends;
    Recvs recvs;

    Neighbourhood() {
        const int me = rank_of(), ranks = size_of();
        for (int peer = 0; peer < ranks; peer++)
            if (peer != me || ranks == 1) peers.push_back(peer);
        for (const int peer : peers) {
            recvs.push_back(std::make_unique<RecvEnd>(Cut{3, 0}, Envelope{peer, 2}));
            sends.push_back(std::make_unique<SendEnd>(Cut{2, 0}, Envelope{peer, 2}));
        }
    }
};

} // namespace

TEST_CASE("a receive of no elements waits for its sender") { hold_back(0, MPI_INT); }

TEST_CASE("a receive of elements without data waits for its sender") {
    hold_back(3, nothing_of(MPI_INT));
    hold_back(2, empty_struct());
    hold_back(1, resized(nothing_of(MPI_DOUBLE), 0, 24));
}

TEST_CASE("a receive of no elements with gaps waits for its sender") {
    hold_back(0, vector_of(3, 1, 2));
}

TEST_CASE("two empty ends match whatever their datatypes are") {
    hold_back({3, 0, MPI_INT}, {2, 4, nothing_of(MPI_CHAR)});
    hold_back({2, 5, empty_struct()}, {3, 0, vector_of(3, 1, 2)});
}

TEST_CASE("of several empty receives those complete whose senders have marked") {
    Neighbourhood near;
    for (int round = 0; round < 2; round++)
        for (std::size_t first = 0; first < near.peers.size(); first++) {
            for (const auto& end : near.recvs) end->start(round);
            for (const auto& end : near.sends) end->start(round);
            // All ranks answer the same distance first.
            const Ring ring;
            const int distance = ring.ranks == 1 ? 0 : 1 + static_cast<int>(first);
            const int to = (ring.me + distance) % ring.ranks;
            const int from = (ring.me + ring.ranks - distance) % ring.ranks;
            for (std::size_t i = 0; i < near.peers.size(); i++)
                if (near.peers[i] == to) near.sends[i]->mark_all(7);
            for (std::size_t i = 0; i < near.peers.size(); i++)
                if (near.peers[i] == from) near.recvs[i]->finish();
            int too_early = 0;
            for (std::size_t i = 0; i < near.peers.size(); i++)
                if (near.peers[i] != from) too_early += come(*near.recvs[i]);
            CHECK(too_early == 0);
            for (std::size_t i = 0; i < near.peers.size(); i++)
                if (near.peers[i] != to) near.sends[i]->mark_all(8);
            for (std::size_t i = 0; i < near.peers.size(); i++)
                if (near.peers[i] != from) near.recvs[i]->finish();
            for (const auto& end : near.sends) end->finish();
        }
}

TEST_CASE("a request for an empty partition waits for its sender") {
    const Ring ring;
    RecvEnd recv({3, 0}, {ring.previous, 3});
    SendEnd send({2, 0}, {ring.next, 3});
    MPI_Request part = MPI_REQUEST_NULL;
    CHECK_MPI(MPIX_Partition_request(recv.request, 1, &part));
    for (int round = 0; round < 3; round++) {
        recv.start(round);
        send.start(round);
        CHECK(!is_done(part));
        CHECK(come(recv) == 0);
        CHECK(!is_done(part));
        CHECK_MPI(MPI_Barrier(MPI_COMM_WORLD));
        send.mark_all(static_cast<std::uint32_t>(round));
        CHECK_MPI(MPI_Wait(&part, MPI_STATUS_IGNORE));
        recv.finish();
        send.finish();
    }
    free_request(part);
}

TEST_CASE("an empty receive from nobody is complete at once") {
    RecvEnd recv({3, 0}, {MPI_PROC_NULL, 4});
    SendEnd send({2, 0}, {MPI_PROC_NULL, 4});
    for (int round = 0; round < 2; round++) {
        recv.start(round);
        send.start(round);
        CHECK(recv.has(2));
        recv.finish();
        send.mark_all(5);
        send.finish();
    }
}

// That the sizes differ is an error. It is told when the sender has sent what it has.
TEST_CASE("a receive whose other end alone is empty waits for it") {
    MPI_Comm comm = MPI_COMM_NULL;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    const Ring ring;
    for (const bool sends_nothing : {true, false}) {
        INFO((sends_nothing ? "nothing is sent" : "nothing is expected"));
        RecvEnd recv({3, sends_nothing ? 2 : 0}, {ring.previous, 5, comm, ring.previous});
        SendEnd send({2, sends_nothing ? 0 : 3}, {ring.next, 5, comm, ring.me});
        for (int round = 0; round < 2; round++) {
            recv.start(round);
            send.start(round);
            CHECK(come(recv) == 0);
            send.mark_all(6);
            CHECK(MPI_Wait(&recv.request, MPI_STATUS_IGNORE) != MPI_SUCCESS);
            send.finish();
        }
    }
    MPI_Comm_free(&comm);
}
