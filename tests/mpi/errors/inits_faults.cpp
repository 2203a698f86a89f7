// SPDX-License-Identifier: BSD-3-Clause
// Inits and starts where memory is missing or the host refuses a call, on one rank: the call is an
// error there, no other rank waits for ever, and the next one works.
#include "common/faults.hpp"

#include <algorithm>
#include <functional>

using namespace mpitest;

namespace {

using Init = std::function<int(MPI_Request*)>;

void start_and_wait_under_fault(MPI_Request& request) {
    if (Faults::kind == Fault::host_call)
        return start_and_wait(request); // the others would miss a message
    insist([&] { return MPI_Start(&request); });
    insist([&] { return MPI_Wait(&request, MPI_STATUS_IGNORE); });
}

struct Task {
    static int start(void* task) {
        static_cast<Task*>(task)->turns = 2;
        return MPI_SUCCESS;
    }
    static int poll(void* task, int* flag) {
        *flag = --static_cast<Task*>(task)->turns <= 0;
        return MPI_SUCCESS;
    }
    int turns = 0;
};

// The first on a communicator, which finds out who the others are.
void run_first(MPI_Comm comm) {
    int in = rank_of(comm) + 1, out = -1, groups = 0, theirs = 0;
    MPI_Comm_test_inter(comm, &groups);
    if (groups != 0) MPI_Comm_remote_size(comm, &theirs);
    const int ranks = groups != 0 ? theirs : size_of(comm);
    MPI_Request request = make_together([&](MPI_Request* made) {
        return MPI_Allreduce_init(&in, &out, 1, MPI_INT, MPI_SUM, comm, MPI_INFO_NULL, made);
    });
    start_and_wait_under_fault(request);
    CHECK(out == ranks * (ranks + 1) / 2);
    free_request(request);
}

MPI_Comm join_halves() {
    const int half_size = size_of() / 2, is_high = rank_of() >= half_size;
    MPI_Comm half = MPI_COMM_NULL, joined = MPI_COMM_NULL;
    CHECK_MPI(MPI_Comm_split(MPI_COMM_WORLD, is_high, 0, &half));
    CHECK_MPI(MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, is_high ? 0 : half_size, 5, &joined));
    CHECK_MPI(MPI_Comm_free(&half));
    return joined;
}

} // namespace

TEST_CASE("persistent collectives") {
    const Type gaps = vector_of(3, 1, 2);
    const int ranks = size_of(), me = rank_of();
    const auto n = static_cast<std::size_t>(ranks);
    std::vector<int> in(100 * n), out(100 * n), counts(n), places(n);
    for (std::size_t r = 0; r < n; r++) {
        counts[r] = static_cast<int>(r) + 1;
        places[r] = 20 * static_cast<int>(r);
    }
    const std::vector<int> mine(n, me + 1);
    std::fill(in.begin(), in.end(), me + 1);
    const auto run = [&](const Init& init, const std::function<bool()>& is_right) {
        MPI_Request request = make_together(init);
        for (int round = 0; round < 2; round++) {
            std::fill(out.begin(), out.end(), -1);
            start_and_wait_under_fault(request);
            CHECK(is_right());
        }
        insist([&] { return MPI_Request_free(&request); });
    };
    sweep_all([&] {
        run(
            [&](MPI_Request* made) {
                return MPI_Allreduce_init(in.data(), out.data(), 100, MPI_INT, MPI_SUM,
                                          MPI_COMM_WORLD, MPI_INFO_NULL, made);
            },
            [&] { return out[99] == ranks * (ranks + 1) / 2; });
        run(
            [&](MPI_Request* made) {
                return MPI_Alltoall_init(in.data(), 1, gaps, out.data(), 1, gaps, MPI_COMM_WORLD,
                                         MPI_INFO_NULL, made);
            },
            [&] { return out[0] == 1 && out[1] == -1 && out[5 * n - 1] == ranks; });
        run(
            [&](MPI_Request* made) {
                return MPI_Allgatherv_init(in.data(), me + 1, MPI_INT, out.data(), counts.data(),
                                           places.data(), MPI_INT, MPI_COMM_WORLD, MPI_INFO_NULL,
                                           made);
            },
            [&] { return out[0] == 1 && out[20 * (n - 1) + n - 1] == ranks; });
        run(
            [&](MPI_Request* made) {
                return MPI_Alltoallv_init(in.data(), counts.data(), places.data(), MPI_INT,
                                          out.data(), mine.data(), places.data(), MPI_INT,
                                          MPI_COMM_WORLD, MPI_INFO_NULL, made);
            },
            [&] {
                return out[0] == 1 && out[20 * (n - 1) + static_cast<std::size_t>(me)] == ranks;
            });
    });
}

TEST_CASE("first on a communicator") {
    sweep_all([] {
        MPI_Comm mine = MPI_COMM_NULL;
        CHECK_MPI(MPI_Comm_dup(MPI_COMM_WORLD, &mine));
        run_first(mine);
        CHECK_MPI(MPI_Comm_free(&mine));
    });
}

TEST_CASE("first on an intercommunicator") {
    if (size_of() == 1) return;
    sweep_all([] {
        MPI_Comm joined = join_halves();
        run_first(joined);
        CHECK_MPI(MPI_Comm_free(&joined));
    });
}

// Each takes many tags, and soon a communicator more is needed.
TEST_CASE("tags that run out") {
    sweep_all([] {
        MPI_Comm mine = MPI_COMM_NULL;
        CHECK_MPI(MPI_Comm_dup(MPI_COMM_WORLD, &mine));
        for (int plan = 0; plan < 4; plan++) run_first(mine);
        CHECK_MPI(MPI_Comm_free(&mine));
    });
}

TEST_CASE("bundles, generalized requests and messages of the host") {
    sweep_all([] {
        Task task;
        int from = 7, to = -1;
        MPI_Request messages[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
        MPI_Request generalized = MPI_REQUEST_NULL, bundle = MPI_REQUEST_NULL;
        insist([&] { return MPI_Send_init(&from, 1, MPI_INT, 0, 1, MPI_COMM_SELF, &messages[0]); },
               &messages[0]);
        insist([&] { return MPI_Recv_init(&to, 1, MPI_INT, 0, 1, MPI_COMM_SELF, &messages[1]); },
               &messages[1]);
        insist(
            [&] {
                return MPIX_Pgrequest_init(Task::start, Task::poll, nullptr, nullptr, nullptr,
                                           &task, &generalized);
            },
            &generalized);
        const MPI_Request members[] = {messages[0], messages[1], generalized};
        insist([&] { return MPIX_Bundle_init(3, members, MPI_INFO_NULL, &bundle); }, &bundle);
        insist([&] { return MPIX_Bundle_after(bundle, 0, 2); });
        for (int round = 0; round < 3; round++) {
            from = round;
            if (Faults::kind == Fault::host_call) {
                start_and_wait(bundle);
            } else {
                insist([&] { return MPI_Start(&bundle); });
                insist([&] { return MPI_Wait(&bundle, MPI_STATUS_IGNORE); });
            }
            CHECK(to == round);
        }
        insist([&] { return MPI_Request_free(&bundle); });
        insist([&] { return MPI_Request_free(&generalized); });
        for (MPI_Request& message : messages) insist([&] { return MPI_Request_free(&message); });
    });
}
