// SPDX-License-Identifier: BSD-3-Clause
// What a row of the tables of blocking calls is: a call that one rank blocks in, and what other
// ranks do to release it. A row knows nothing of the collective that is active meanwhile.
#pragma once

#include <functional>
#include <sched.h>
#include <string>

#include "progress/relays.hpp"

namespace mpitest {

// One use of a row. Ranks are those of `comm`; both tags are of this use alone.
struct Scene {
    MPI_Comm comm;
    int middle; // rank of the blocked process in MPI_COMM_WORLD
    int me, ranks, blocked, partner;
    int tag;
    // What the preparation leaves for the call, and the call for the end.
    MPI_Comm made = MPI_COMM_NULL;
    MPI_Win window = MPI_WIN_NULL;
    MPI_File file = MPI_FILE_NULL;
    bool shares = false;
    MPI_Request requests[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};

    bool blocks() const { return me == blocked; }
    bool is_partner() const { return me == partner; }
    int other() const { return blocks() ? partner : blocked; }
};

using Part = std::function<void(Scene&)>;

struct BlockingCall {
    std::string name;
    Part block;
    Part release = nullptr; // by the partner; without it every rank enters the call
    Part prepare = nullptr; // by every rank, before the collective starts
    Part finish = nullptr;  // by every rank, after it
};

constexpr int long_message = 250'000; // ints: more than any host sends before it has a receiver

// Room for messages whose content nobody looks at; the two halves are for two directions.
inline int* mail(int half = 0) {
    static std::vector<int> room(2 * long_message);
    return room.data() + half * long_message;
}

// Polls until `is_done` says so, and lets others have the core.
template<class Done>
void poll(Done is_done) {
    while (!is_done()) sched_yield();
}

inline void free_made(Scene& scene) {
    if (scene.made != MPI_COMM_NULL) CHECK_MPI(MPI_Comm_free(&scene.made));
}

} // namespace mpitest
