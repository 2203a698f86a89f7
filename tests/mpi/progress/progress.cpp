// SPDX-License-Identifier: BSD-3-Clause
// Plans move inside every blocking call: one rank starts a collective that the others cannot end
// without it, and blocks in a call from which only a rank that has ended the collective releases
// it. Every call is a case; MPIX_TEST_FULL=1 runs each with all collectives instead of some.
#include <array>
#include <chrono>
#include <cstdlib>
#include <thread>
#include <unistd.h>
#include <utility>
#include <vector>

#include "progress/blocking_collectives.hpp"
#include "progress/blocking_communicators.hpp"
#include "progress/blocking_files.hpp"
#include "progress/blocking_messages.hpp"
#include "progress/blocking_windows.hpp"

using namespace mpitest;

namespace {

// A rank that has seen one failure will see more, and has no need to wait long for them.
bool ends_in_time(MPI_Request& request) {
    using Clock = std::chrono::steady_clock;
    static auto patience = std::chrono::milliseconds(5000);
    const auto end = Clock::now() + patience;
    int flag = 0;
    while (!flag && Clock::now() < end) {
        MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
        if (!flag) sched_yield();
    }
    if (!flag) patience = std::chrono::milliseconds(200);
    return flag;
}

void send_token(const Scene& scene, int to) {
    MPI_Send(nullptr, 0, MPI_BYTE, to, scene.tag, scene.comm);
}

void await_token(const Scene& scene, int from) {
    MPI_Request token = MPI_REQUEST_NULL;
    MPI_Irecv(nullptr, 0, MPI_BYTE, from, scene.tag, scene.comm, &token);
    poll([&] {
        int flag = 0;
        MPI_Test(&token, &flag, MPI_STATUS_IGNORE);
        return flag;
    });
}

void run(const Part& part, Scene& scene) {
    if (part) part(scene);
}

Scene scene_of(int middle) {
    static int uses = 0;
    const MPI_Comm comm = relays().comm(middle);
    const int ranks = size_of(comm), blocked = middle_place(ranks);
    const int partner = (blocked + 1 + ++uses % (ranks - 1)) % ranks;
    return {comm, middle, rank_of(comm), ranks, blocked, partner, 2 * uses};
}

// The blocked rank starts first, so that what it has to pass on comes when it blocks already.
void let_it_start_first(const Scene& scene) {
    if (scene.blocks()) {
        for (int rank = 0; rank < scene.ranks; rank++)
            if (rank != scene.me) send_token(scene, rank);
    } else {
        await_token(scene, scene.blocked);
        std::this_thread::sleep_for(std::chrono::microseconds(300));
    }
}

// The partner goes on when all but the blocked rank have come, the others when it has told them.
void gather_others(const Scene& scene) {
    for (const bool back : {false, true})
        for (int rank = 0; rank < scene.ranks; rank++) {
            if (rank == scene.blocked || rank == scene.partner) continue;
            if (scene.is_partner()) back ? send_token(scene, rank) : await_token(scene, rank);
            if (scene.me == rank)
                back ? await_token(scene, scene.partner) : send_token(scene, scene.partner);
        }
}

// What went wrong, "" if nothing did.
std::string outcome(const BlockingCall& call, Kind kind, int middle) {
    static int round = 0;
    Relay& relay = relays().relay(kind, middle);
    Scene scene = scene_of(middle);
    bool ended = true;
    relay.write(++round);
    run(call.prepare, scene);
    let_it_start_first(scene);
    MPI_Start(&relay.request);
    if (scene.blocks()) {
        call.block(scene);
    } else {
        ended = ends_in_time(relay.request);
        gather_others(scene);
        if (!call.release)
            call.block(scene);
        else if (scene.is_partner())
            call.release(scene);
    }
    MPI_Wait(&relay.request, MPI_STATUS_IGNORE);
    const std::string wrong = relay.difference();
    run(call.finish, scene);
    return ended ? wrong : "it ended only when the blocked rank was released";
}

void play(const BlockingCall& call, Kind kind, int middle) {
    INFO("rank " << middle << " in " << call.name << ", " << name_of(kind.pattern) << " of "
                 << kind.count << " ints");
    CHECK(outcome(call, kind, middle) == "");
}

// Without MPIX_TEST_FULL every other rank blocks in a call, the others on the next number of ranks,
// each in one collective. Over the calls each rank meets every collective.
bool is_chosen(std::size_t row, std::size_t middle, std::size_t kind, std::size_t ranks) {
    static const bool is_full = std::getenv("MPIX_TEST_FULL") != nullptr;
    if (is_full) return true;
    const bool is_in_turn = (row + middle + ranks) % 2 == 0;
    return is_in_turn && kind == (row / 2 + 3 * (middle / 2) + ranks) % relay_kinds().size();
}

void play_all(const BlockingCall& call, std::size_t row) {
    const std::vector<Kind> kinds = relay_kinds();
    const auto ranks = static_cast<std::size_t>(size_of());
    if (ranks < 3) return; // nobody is between two others
    for (std::size_t middle = 0; middle < ranks; middle++)
        for (std::size_t kind = 0; kind < kinds.size(); kind++)
            if (is_chosen(row, middle, kind, ranks))
                play(call, kinds[kind], static_cast<int>(middle));
}

// A test case for each row of the tables, which takes a function without arguments.
std::vector<BlockingCall>& rows() {
    static std::vector<BlockingCall> all;
    return all;
}
template<std::size_t... row>
constexpr auto make_cases(std::index_sequence<row...>) {
    return std::array{+[] { play_all(rows()[row], row); }...};
}
constexpr auto cases = make_cases(std::make_index_sequence<128>{});

bool add(const std::vector<BlockingCall>& table) {
    for (const BlockingCall& call : table) {
        REGISTER_TEST_CASE(cases.at(rows().size()), "plans move inside " + call.name, "");
        rows().push_back(call);
    }
    return true;
}

// Open MPI waits for other processes to join without its progress engine: a thread has to move the
// plans (MPIX_ASYNC_PROGRESS=1), and Open MPI's accept then crashes in one run of seven. So these
// are only there on request. MPICH 4.0 cannot join processes over UCX.
bool processes_can_join() {
    return open_mpi_version() > 0 && std::getenv("MPIX_TEST_JOIN") != nullptr;
}

[[maybe_unused]] const bool added = add(blocking_messages) && add(blocking_collectives()) &&
                                    add(blocking_communicators) && add(blocking_windows) &&
                                    add(blocking_files) &&
                                    (!processes_can_join() || add(blocking_processes));

// ---- MPI_Finalize, which runs the delete callbacks of MPI_COMM_SELF while MPI still works ----

const BlockingCall receive_in_finalize = {
    "MPI_Finalize",
    [](Scene& s) { MPI_Recv(mail(), 1, MPI_INT, s.other(), s.tag, s.comm, MPI_STATUS_IGNORE); },
    [](Scene& s) { MPI_Send(mail(), 1, MPI_INT, s.other(), s.tag, s.comm); }};

int block_in_finalize(MPI_Comm, int, void*, void*) {
    std::string wrong;
    for (int middle = 0; size_of() > 2 && middle < size_of(); middle++)
        wrong += outcome(receive_in_finalize, {Pattern::allreduce, 1}, middle);
    relays().free_all();
    if (wrong.empty()) return MPI_SUCCESS;
    std::fprintf(stderr, "in MPI_Finalize: %s\n", wrong.c_str()); // no test case runs any more
    _exit(1);
}

} // namespace

TEST_CASE("plans move inside MPI_Finalize") {
    for (int middle = 0; middle < size_of(); middle++)
        relays().relay({Pattern::allreduce, 1}, middle);
    int keyval = MPI_KEYVAL_INVALID;
    CHECK_MPI(MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, block_in_finalize, &keyval, nullptr));
    CHECK_MPI(MPI_Comm_set_attr(MPI_COMM_SELF, keyval, nullptr));
}
