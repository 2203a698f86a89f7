// SPDX-License-Identifier: BSD-3-Clause
// What the completion tests share: a checked persistent sum, statuses spoiled beforehand, and
// messages round the ring.
#pragma once

#include <sched.h>

#include "common/check.hpp"

namespace mpitest {

constexpr int untouched_error = 12345;

inline MPI_Status spoiled_status() {
    MPI_Status status;
    std::memset(&status, 0x5a, sizeof status);
    status.MPI_SOURCE = 77;
    status.MPI_TAG = 78;
    status.MPI_ERROR = untouched_error;
    return status;
}

inline bool is_empty(const MPI_Status& status) {
    int count = -1, cancelled = -1;
    MPI_Get_count(&status, MPI_BYTE, &count);
    MPI_Test_cancelled(&status, &cancelled);
    return status.MPI_SOURCE == MPI_ANY_SOURCE && status.MPI_TAG == MPI_ANY_TAG && count == 0 &&
           cancelled == 0;
}

// More ranks than cores: whoever polls lets the others run.
inline void pause_briefly() { sched_yield(); }

// One of our requests: a sum over the ranks that tells the round.
struct Ours {
    int in = 0, out = -1;
    MPI_Request request = MPI_REQUEST_NULL;

    Ours() {
        CHECK_MPI(MPI_Allreduce_init(&in, &out, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL,
                                     &request));
    }
    Ours(const Ours&) = delete;
    Ours& operator=(const Ours&) = delete;
    ~Ours() {
        if (request != MPI_REQUEST_NULL) MPI_Request_free(&request);
    }
    void prepare(int round) {
        in = round + rank_of();
        out = -1;
    }
    void start(int round) {
        prepare(round);
        CHECK_MPI(MPI_Start(&request));
    }
    bool right(int round) const {
        const int ranks = size_of();
        return out == round * ranks + ranks * (ranks - 1) / 2;
    }
    void run(int round) {
        start(round);
        CHECK_MPI(MPI_Wait(&request, MPI_STATUS_IGNORE));
        CHECK(right(round));
    }
};

struct Ring {
    int me = rank_of(), ranks = size_of();
    int next = (me + 1) % ranks, previous = (me + ranks - 1) % ranks;
};

// An array with every kind of request in it; `start` activates all that can be active.
struct Mixture {
    enum Slot : std::size_t {
        ours,
        null,
        persistent_send,
        persistent_recv,
        inactive,
        isend,
        irecv,
        barrier,
        ours_too,
        slots
    };

    Ring ring;
    Ours first, second, sleeping;
    int sent = 0, received = -1, sent_once = 0, received_once = -1;
    MPI_Request requests[slots];

    Mixture() {
        for (auto& request : requests) request = MPI_REQUEST_NULL;
        requests[ours] = first.request;
        requests[ours_too] = second.request;
        requests[inactive] = sleeping.request;
        MPI_Send_init(&sent, 1, MPI_INT, ring.next, 31, MPI_COMM_WORLD, &requests[persistent_send]);
        MPI_Recv_init(&received, 1, MPI_INT, ring.previous, 31, MPI_COMM_WORLD,
                      &requests[persistent_recv]);
    }
    Mixture(const Mixture&) = delete;
    Mixture& operator=(const Mixture&) = delete;
    ~Mixture() {
        MPI_Request_free(&requests[persistent_send]);
        MPI_Request_free(&requests[persistent_recv]);
    }

    void start(int round) {
        first.prepare(round);
        second.prepare(round + 50);
        sent = round * 10 + ring.me;
        sent_once = round * 100 + ring.me;
        received = received_once = -1;
        CHECK_MPI(MPI_Irecv(&received_once, 1, MPI_INT, ring.previous, 32, MPI_COMM_WORLD,
                            &requests[irecv]));
        MPI_Request startable[] = {requests[ours], requests[persistent_recv], requests[ours_too],
                                   requests[persistent_send]};
        CHECK_MPI(MPI_Startall(4, startable));
        // A host may change a handle when it is started; ours and those of receives stay.
        requests[persistent_recv] = startable[1];
        requests[persistent_send] = startable[3];
        CHECK(startable[0] == requests[ours]);
        CHECK(startable[2] == requests[ours_too]);
        CHECK_MPI(
            MPI_Isend(&sent_once, 1, MPI_INT, ring.next, 32, MPI_COMM_WORLD, &requests[isend]));
        CHECK_MPI(MPI_Ibarrier(MPI_COMM_WORLD, &requests[barrier]));
    }

    static constexpr int active = 7; // requests that `start` makes active
    static bool can_complete(std::size_t slot) {
        return slot != null && slot != inactive && slot < slots;
    }

    void check_data(int round) const {
        CHECK(first.right(round));
        CHECK(second.right(round + 50));
        CHECK(received == round * 10 + ring.previous);
        CHECK(received_once == round * 100 + ring.previous);
    }
    void check_handles() const {
        CHECK(requests[ours] == first.request);
        CHECK(requests[ours_too] == second.request);
        CHECK(requests[inactive] == sleeping.request);
        CHECK(requests[null] == MPI_REQUEST_NULL);
        CHECK(requests[isend] == MPI_REQUEST_NULL);
        CHECK(requests[irecv] == MPI_REQUEST_NULL);
        CHECK(requests[barrier] == MPI_REQUEST_NULL);
        CHECK(requests[persistent_send] != MPI_REQUEST_NULL);
        CHECK(requests[persistent_recv] != MPI_REQUEST_NULL);
    }
};

} // namespace mpitest
