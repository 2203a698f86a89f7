// SPDX-License-Identifier: BSD-3-Clause
// With MPIX_ASYNC_PROGRESS=1 plans move while the program computes: one rank starts a collective
// that the others cannot end without it, and calls no MPI until it sees in shared memory that they
// have ended it.
#include <atomic>
#include <chrono>
#include <sched.h>

#include "progress/blocking_files.hpp"
#include "progress/relays.hpp"

using namespace mpitest;

namespace {

// One number for each rank that all ranks can read without MPI: the last round that it has ended.
class Board {
  public:
    Board() {
        MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node_);
        me_ = rank_of(node_);
        ranks_ = size_of(node_);
        const MPI_Aint bytes = me_ == 0 ? ranks_ * MPI_Aint{sizeof(int)} : 0;
        MPI_Aint size = 0;
        int unit = 0;
        MPI_Win_allocate_shared(bytes, sizeof(int), MPI_INFO_NULL, node_, &ended_, &window_);
        MPI_Win_shared_query(window_, 0, &size, &unit, &ended_);
        set(0);
        MPI_Barrier(node_);
    }
    Board(const Board&) = delete;
    Board& operator=(const Board&) = delete;
    ~Board() {
        MPI_Win_free(&window_);
        MPI_Comm_free(&node_);
    }

    bool serves_all() const { return ranks_ == size_of(); }
    void set(int round) const { at(me_) = round; }
    bool others_have_ended(int round) const {
        for (int rank = 0; rank < ranks_; rank++)
            if (rank != me_ && at(rank) < round) return false;
        return true;
    }

  private:
    std::atomic_ref<int> at(int rank) const { return std::atomic_ref<int>(ended_[rank]); }

    MPI_Comm node_ = MPI_COMM_NULL;
    MPI_Win window_ = MPI_WIN_NULL;
    int me_ = 0, ranks_ = 0;
    int* ended_ = nullptr;
};

// Computes until the others have ended. Once they were too late, they have less time.
bool compute_until_ended(const Board& board, int round) {
    using Clock = std::chrono::steady_clock;
    static auto patience = std::chrono::milliseconds(5000);
    const auto end = Clock::now() + patience;
    volatile double sum = 0.0;
    while (!board.others_have_ended(round)) {
        for (int i = 0; i < 10'000; i++) sum = sum + 1.0 / (i + 1);
        if (Clock::now() > end) {
            patience = std::chrono::milliseconds(200);
            return false;
        }
        sched_yield();
    }
    return true;
}

void forward_while_computing(const Board& board, Kind kind, int middle) {
    INFO("rank " << middle << " computes, " << name_of(kind.pattern) << " of " << kind.count
                 << " ints");
    static int round = 0;
    Relay& relay = relays().relay(kind, middle);
    relay.write(++round);
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK_MPI(MPI_Start(&relay.request));
    if (rank_of() == middle) CHECK(compute_until_ended(board, round));
    CHECK_MPI(MPI_Wait(&relay.request, MPI_STATUS_IGNORE));
    board.set(round);
    CHECK(relay.difference() == "");
}

} // namespace

TEST_CASE("plans move while a rank computes") {
    const Board board;
    if (!board.serves_all() || size_of() < 3) return; // nobody is between two others
    for (const Kind kind : relay_kinds())
        for (int middle = 0; middle < size_of(); middle++)
            forward_while_computing(board, kind, middle);
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
    forward_while_computing(Board(), {Pattern::allreduce, 1}, 0);
}

TEST_CASE("the collectives are freed") { relays().free_all(); }
