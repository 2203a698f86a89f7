// SPDX-License-Identifier: BSD-3-Clause
// With MPIX_ASYNC_PROGRESS=1 plans move while the program computes: one rank starts a collective
// that the others cannot end without it, and calls no MPI until it sees in shared memory that they
// have ended it.
#include <chrono>
#include <sched.h>

#include "common/board.hpp"
#include "progress/blocking_files.hpp"
#include "progress/relays.hpp"

using namespace mpitest;

namespace {

// The last round that each rank has ended.
class Ended {
  public:
    bool is_seen_by_all() const { return rounds_.serves_all(); }
    void set(int round) const { rounds_.set(rank_of(), round); }
    bool others_reach(int round) const {
        for (int rank = 0; rank < size_of(); rank++)
            if (rank != rank_of() && rounds_.number(rank) < round) return false;
        return true;
    }

  private:
    Board rounds_{size_of()};
};

// Computes until the others have ended. Once they were too late, they have less time.
bool compute_until_ended(const Ended& ended, int round) {
    using Clock = std::chrono::steady_clock;
    static auto patience = std::chrono::milliseconds(5000);
    const auto end = Clock::now() + patience;
    volatile double sum = 0.0;
    while (!ended.others_reach(round)) {
        for (int i = 0; i < 10'000; i++) sum = sum + 1.0 / (i + 1);
        if (Clock::now() > end) {
            patience = std::chrono::milliseconds(200);
            return false;
        }
        sched_yield();
    }
    return true;
}

void forward_while_computing(const Ended& ended, Kind kind, int middle) {
    INFO("rank " << middle << " computes, " << name_of(kind.pattern) << " of " << kind.count
                 << " ints");
    static int round = 0;
    Relay& relay = relays().relay(kind, middle);
    relay.write(++round);
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK_MPI(MPI_Start(&relay.request));
    if (rank_of() == middle) CHECK(compute_until_ended(ended, round));
    CHECK_MPI(MPI_Wait(&relay.request, MPI_STATUS_IGNORE));
    ended.set(round);
    CHECK(relay.difference() == "");
}

} // namespace

TEST_CASE("plans move while a rank computes") {
    const Ended ended;
    if (!ended.is_seen_by_all() || size_of() < 3) return; // nobody is between two others
    for (const Kind kind : relay_kinds())
        for (int middle = 0; middle < size_of(); middle++)
            forward_while_computing(ended, kind, middle);
}

// Open MPI's file requests may be completed by two threads at once, and then it crashes: its
// ompi/mca/common/ompio/common_ompio_request.c walks their list without a lock. So the thread
// rests, and the plans move in the host's calls.
TEST_CASE("a file is written while a plan waits for one rank") {
    Scene scene;
    scene.comm = MPI_COMM_WORLD;
    scene.me = rank_of();
    scene.ranks = size_of();
    open_file(scene);
    Relay& relay = relays().relay({Pattern::allreduce, 1}, 0);
    for (int round = 1; round <= 500; round++) {
        relay.write(round);
        if (scene.me > 0) CHECK_MPI(MPI_Start(&relay.request));
        CHECK_MPI(MPI_File_iwrite_at_all(scene.file, 400 * scene.me, mail(), 100, MPI_INT,
                                         &scene.requests[0]));
        CHECK_MPI(MPI_Wait(&scene.requests[0], MPI_STATUS_IGNORE));
        if (scene.me == 0) CHECK_MPI(MPI_Start(&relay.request));
        CHECK_MPI(MPI_Wait(&relay.request, MPI_STATUS_IGNORE));
        if (relay.difference() != "") FAIL(relay.difference());
    }
    close_file(scene);
    forward_while_computing(Ended(), {Pattern::allreduce, 1}, 0);
}

TEST_CASE("the collectives are freed") { relays().free_all(); }
