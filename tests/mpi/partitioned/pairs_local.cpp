// SPDX-License-Identifier: BSD-3-Clause
// The inits of partitioned sends and receives wait for nobody, nor do Start and the marks; and what
// the ends tell each other the program never sees, whatever it receives and probes.
#include "common/plans.hpp"
#include "partitioned/pairs.hpp"

using namespace mpitest;

namespace {

constexpr int token_tag = 90;

// One rank works while the others wait for its token in the host.
void pass_token(int to) {
    const int value = 4;
    CHECK_MPI(MPI_Send(&value, 1, MPI_INT, to, token_tag, MPI_COMM_WORLD));
}
void await_token(int from) {
    int value = 0;
    CHECK_MPI(MPI_Recv(&value, 1, MPI_INT, from, token_tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    CHECK(value == 4);
}

Envelope between(int peer, int number) { return {peer, 9, MPI_COMM_WORLD, 40 + number}; }

// Rank 0 does all it can before the last rank has made its ends.
void send_before_there_is_a_receiver(int parts, int count) {
    INFO(parts << " partitions of " << count);
    const int last = size_of() - 1;
    if (last == 0) return;
    if (rank_of() == 0) {
        SendEnd send({parts, count}, between(last, 1));
        send.start(0);
        send.mark_all(5);
        int flag = -1;
        for (int turn = 0; turn < 50; turn++)
            CHECK_MPI(MPI_Test(&send.request, &flag, MPI_STATUS_IGNORE));
        CHECK(flag == 0);
        pass_token(last);
        send.finish();
        send.start(1);
        send.mark_all(6);
        send.finish();
    } else if (rank_of() == last) {
        await_token(0);
        RecvEnd recv({1, parts * count}, between(0, 1));
        for (int round = 0; round < 2; round++) {
            recv.start(round);
            recv.finish();
        }
    }
}

void receive_before_there_is_a_sender(int parts, int count) {
    INFO(parts << " partitions of " << count);
    const int last = size_of() - 1;
    if (last == 0) return;
    if (rank_of() == 0) {
        RecvEnd recv({1, parts * count}, between(last, 2));
        recv.start(0);
        int flag = -1;
        for (int turn = 0; turn < 50; turn++) {
            CHECK_MPI(MPI_Test(&recv.request, &flag, MPI_STATUS_IGNORE));
            CHECK(flag == 0);
            CHECK(!recv.has(0));
        }
        pass_token(last);
        recv.finish();
    } else if (rank_of() == last) {
        await_token(0);
        SendEnd send({parts, count}, between(0, 2));
        send.start(0);
        send.mark_all(7);
        send.finish();
    }
}

// Receives of anything from anybody on some communicators, all the while.
class Open {
  public:
    explicit Open(std::vector<MPI_Comm> comms) : comms_(std::move(comms)) {
        values_.resize(2 * comms_.size());
        for (std::size_t i = 0; i < comms_.size(); i++) {
            requests_.emplace_back();
            CHECK_MPI(MPI_Irecv(&values_[2 * i], 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, comms_[i],
                                &requests_.back()));
            requests_.emplace_back();
            CHECK_MPI(MPI_Recv_init(&values_[2 * i + 1], 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG,
                                    comms_[i], &requests_.back()));
            CHECK_MPI(MPI_Start(&requests_.back()));
        }
    }
    Open(const Open&) = delete;
    Open& operator=(const Open&) = delete;

    // Nothing has come, and nothing could.
    void check() {
        int flag = -1;
        for (MPI_Request& request : requests_) {
            CHECK_MPI(MPI_Test(&request, &flag, MPI_STATUS_IGNORE));
            CHECK(flag == 0);
        }
        probe();
    }
    // There is nothing to be found either when they are not there to catch it.
    void probe() {
        int flag = -1;
        for (const MPI_Comm comm : comms_) {
            CHECK_MPI(MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &flag, MPI_STATUS_IGNORE));
            CHECK(flag == 0);
            MPI_Message message = MPI_MESSAGE_NULL;
            CHECK_MPI(
                MPI_Improbe(MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &flag, &message, MPI_STATUS_IGNORE));
            CHECK(flag == 0);
        }
    }
    // Each gets a message of its own now, when all ranks have made sure.
    void end() {
        CHECK_MPI(MPI_Barrier(MPI_COMM_WORLD));
        for (std::size_t i = 0; i < requests_.size(); i++) {
            const int sent = 600 + static_cast<int>(i);
            const MPI_Comm comm = comms_[i / 2];
            const int next = (rank_of(comm) + 1) % size_of(comm);
            CHECK_MPI(MPI_Send(&sent, 1, MPI_INT, next, 30, comm));
            CHECK_MPI(MPI_Wait(&requests_[i], MPI_STATUS_IGNORE));
            CHECK(values_[i] == sent);
            if (requests_[i] != MPI_REQUEST_NULL) free_request(requests_[i]);
        }
    }

  private:
    std::vector<MPI_Comm> comms_;
    std::vector<int> values_;
    std::vector<MPI_Request> requests_;
};

void make_ring(const std::vector<MPI_Comm>& comms, const Cut& send, const Cut& recv, Sends& sends,
               Recvs& recvs) {
    for (const MPI_Comm comm : comms) {
        const int me = rank_of(comm), ranks = size_of(comm), previous = (me + ranks - 1) % ranks;
        sends.push_back(std::make_unique<SendEnd>(send, Envelope{(me + 1) % ranks, 30, comm, me}));
        recvs.push_back(std::make_unique<RecvEnd>(recv, Envelope{previous, 30, comm, previous}));
    }
}

} // namespace

TEST_CASE("a send starts and is marked long before its receiver is there") {
    for (const int count : {0, 1, 3'000, 100'000}) send_before_there_is_a_receiver(4, count);
}

TEST_CASE("a receive starts and is asked for long before its sender is there") {
    for (const int count : {0, 1, 3'000, 100'000}) receive_before_there_is_a_sender(4, count);
}

TEST_CASE("hundreds of inits wait for nobody") {
    const int last = size_of() - 1;
    if (last == 0) return;
    Sends sends;
    Recvs recvs;
    const auto make = [&](int peer) {
        for (int i = 0; i < 300; i++) {
            sends.push_back(std::make_unique<SendEnd>(Cut{2, 2}, between(peer, i)));
            recvs.push_back(std::make_unique<RecvEnd>(Cut{1, 4}, between(peer, i)));
            sends.back()->start(0);
            recvs.back()->start(0);
            sends.back()->mark_all(3);
        }
    };
    if (rank_of() == 0) {
        make(last);
        pass_token(last);
    } else if (rank_of() == last) {
        await_token(0);
        make(0);
    }
    for (auto& end : recvs) end->finish();
    for (auto& end : sends) end->finish();
}

TEST_CASE("receives of anything from anybody never see what the library sends") {
    MPI_Comm copy = duplicate(), half = MPI_COMM_NULL;
    CHECK_MPI(MPI_Comm_split(MPI_COMM_WORLD, rank_of() % 2, 0, &half));
    const std::vector<MPI_Comm> comms{MPI_COMM_WORLD, MPI_COMM_SELF, copy, half};
    Open open(comms);
    for (const int count : {1, 2'000, 50'000}) {
        Sends sends;
        Recvs recvs;
        make_ring(comms, {6, count}, {3, 2 * count}, sends, recvs);
        open.check();
        for (int round = 0; round < 3; round++) {
            run_round(sends, recvs, round);
            open.check();
        }
    }
    open.check();
    open.end();
    free_comm(copy);
    free_comm(half);
}

TEST_CASE("probes find nothing while ends wait for each other, are marked, and are freed") {
    MPI_Comm copy = duplicate();
    const std::vector<MPI_Comm> comms{MPI_COMM_WORLD, copy};
    const auto probe = [&] {
        int flag = -1;
        for (int turn = 0; turn < 20; turn++)
            for (const MPI_Comm comm : comms) {
                CHECK_MPI(MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &flag, MPI_STATUS_IGNORE));
                CHECK(flag == 0);
            }
    };
    for (int time = 0; time < 10; time++) {
        Sends sends;
        Recvs recvs;
        make_ring(comms, {4, 100}, {2, 200}, sends, recvs);
        probe();
        if (time % 2 == 0) continue; // freed before they began
        for (auto& end : sends) end->start(time);
        probe();
        for (auto& end : sends) end->mark_all(1);
        probe();
        for (auto& end : recvs) end->start(time);
        for (auto& end : recvs) end->finish();
        probe();
        for (auto& end : sends) end->finish();
    }
    CHECK_MPI(MPI_Barrier(MPI_COMM_WORLD)); // the others' probes see no message of what follows
    free_comm(copy);
}

TEST_CASE("persistent receives and sends of the same envelope do not meet partitioned ones") {
    const Ring ring;
    int sent = ring.me, received = -1;
    MPI_Request pair[2];
    CHECK_MPI(MPI_Recv_init(&received, 1, MPI_INT, ring.previous, 30, MPI_COMM_WORLD, &pair[0]));
    CHECK_MPI(MPI_Send_init(&sent, 1, MPI_INT, ring.next, 30, MPI_COMM_WORLD, &pair[1]));
    Sends sends;
    Recvs recvs;
    make_ring({MPI_COMM_WORLD}, {2, 1}, {1, 2}, sends, recvs);
    for (int round = 0; round < 5; round++) {
        received = -1;
        CHECK_MPI(MPI_Start(&pair[0]));
        run_round(sends, recvs, round);
        CHECK(received == -1);
        CHECK_MPI(MPI_Barrier(MPI_COMM_WORLD)); // all are sure of that
        CHECK_MPI(MPI_Start(&pair[1]));
        CHECK_MPI(MPI_Waitall(2, pair, MPI_STATUSES_IGNORE));
        CHECK(received == ring.previous);
    }
    for (MPI_Request& request : pair) free_request(request);
}
