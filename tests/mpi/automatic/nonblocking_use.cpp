// SPDX-License-Identifier: BSD-3-Clause
// Nonblocking collectives on plans as programs use them: many at once, completed in any order and
// way, beside blocking ones, persistent ones and messages.
#include "automatic/planned.hpp"
#include "common/errors.hpp"
#include "common/plans.hpp"

#include <sched.h>

#include <cstring>

using namespace mpitest;

namespace {

constexpr int ints = 3;
// A sum of three integers, of one call.
struct Sum3 {
    int in[ints], out[ints];
    MPI_Request request = MPI_REQUEST_NULL;

    void begin(MPI_Comm comm, int round) {
        for (int i = 0; i < ints; i++) in[i] = value_at(rank_of(comm), round, i), out[i] = -1;
        CHECK_MPI(MPI_Iallreduce(in, out, ints, MPI_INT, MPI_SUM, comm, &request));
    }
    void check(MPI_Comm comm, int round) const {
        for (int i = 0; i < ints; i++) {
            int sum = 0;
            for (int rank = 0; rank < size_of(comm); rank++) sum += value_at(rank, round, i);
            CHECK(out[i] == sum);
        }
    }
};

// Such sums run on a plan from here on.
void make_plan(MPI_Comm comm) {
    for (int round = 0; round < 2; round++) {
        Sum3 sum;
        sum.begin(comm, round);
        CHECK_MPI(MPI_Wait(&sum.request, MPI_STATUS_IGNORE));
        sum.check(comm, round);
    }
    CHECK_MPI(MPI_Barrier(comm));
    Sum3 sum;
    sum.begin(comm, 2);
    CHECK((MPIX_Plan_name(sum.request) != nullptr) == (size_of(comm) > 1));
    CHECK_MPI(MPI_Wait(&sum.request, MPI_STATUS_IGNORE));
    sum.check(comm, 2);
}

} // namespace

TEST_CASE("many calls of one plan are pending, and are completed in any order") {
    const Planned planned;
    make_plan(planned.comm);
    constexpr int calls = 20;
    for (int round = 0; round < 6; round++) {
        Sum3 sums[calls];
        MPI_Request requests[calls];
        for (int i = 0; i < calls; i++) {
            sums[i].begin(planned.comm, round * calls + i);
            requests[i] = sums[i].request;
        }
        if (round % 3 == 0) {
            CHECK_MPI(MPI_Waitall(calls, requests, MPI_STATUSES_IGNORE));
        } else if (round % 3 == 1) { // each rank in another order
            for (int i = 0; i < calls; i++) {
                const int which = (i + 7 * rank_of()) % calls;
                CHECK_MPI(MPI_Wait(&requests[which], MPI_STATUS_IGNORE));
                sums[which].check(planned.comm, round * calls + which);
            }
        } else {
            for (int i = 0; i < calls; i++) {
                int which = -1;
                CHECK_MPI(MPI_Waitany(calls, requests, &which, MPI_STATUS_IGNORE));
                sums[which].check(planned.comm, round * calls + which);
            }
        }
        for (int i = 0; i < calls; i++) {
            CHECK(requests[i] == MPI_REQUEST_NULL);
            sums[i].check(planned.comm, round * calls + i);
        }
    }
}

TEST_CASE("a blocking call of a plan comes after the nonblocking ones") {
    const Planned planned;
    make_plan(planned.comm);
    for (int round = 0; round < 20; round++) {
        Sum3 first, second;
        first.begin(planned.comm, 4 * round);
        int in[ints], out[ints];
        for (int i = 0; i < ints; i++) in[i] = round + i;
        CHECK_MPI(MPI_Allreduce(in, out, ints, MPI_INT, MPI_SUM, planned.comm));
        for (int i = 0; i < ints; i++) CHECK(out[i] == size_of() * (round + i));
        second.begin(planned.comm, 4 * round + 1);
        MPI_Request both[] = {first.request, second.request};
        CHECK_MPI(MPI_Waitall(2, both, MPI_STATUSES_IGNORE));
        first.check(planned.comm, 4 * round);
        second.check(planned.comm, 4 * round + 1);
    }
}

// Who has begun it does not wait for the others: the last rank begins it only when it is told to.
TEST_CASE("a nonblocking call waits for nobody") {
    const int me = rank_of(), ranks = size_of();
    const Planned planned;
    for (int round = 0; round < 6; round++) {
        if (round == 3) make_plan(planned.comm);
        Sum3 sum;
        int told = 0;
        if (me == ranks - 1 && ranks > 1)
            CHECK_MPI(MPI_Recv(&told, 1, MPI_INT, 0, round, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        sum.begin(planned.comm, round);
        if (me == 0 && ranks > 1)
            CHECK_MPI(MPI_Send(&round, 1, MPI_INT, ranks - 1, round, MPI_COMM_WORLD));
        CHECK_MPI(MPI_Wait(&sum.request, MPI_STATUS_IGNORE));
        sum.check(planned.comm, round);
    }
}

// A rank is within a call of the host, which moves the plan.
TEST_CASE("what is pending moves in calls of the host") {
    const int me = rank_of(), ranks = size_of();
    if (ranks == 1) return;
    const Planned planned;
    make_plan(planned.comm);
    for (int round = 0; round < 10; round++) {
        Sum3 sums[3];
        MPI_Request requests[3];
        for (int i = 0; i < 3; i++) {
            sums[i].begin(planned.comm, round + i);
            requests[i] = sums[i].request;
        }
        int token = round;
        if (me == 0) // the others have their sums before they send
            for (int rank = 1; rank < ranks; rank++)
                CHECK_MPI(MPI_Recv(&token, 1, MPI_INT, rank, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        CHECK_MPI(MPI_Waitall(3, requests, MPI_STATUSES_IGNORE));
        if (me != 0) CHECK_MPI(MPI_Send(&token, 1, MPI_INT, 0, 3, MPI_COMM_WORLD));
        for (int i = 0; i < 3; i++) sums[i].check(planned.comm, round + i);
    }
}

namespace {

struct Completion {
    const char* name;
    int (*complete)(MPI_Request*, MPI_Status*);
};

// Calls `test(&flag)` until that is set.
template<class Test>
int repeat(Test test) {
    int flag = 0, code = MPI_SUCCESS;
    while (!flag && code == MPI_SUCCESS) {
        code = test(&flag);
        sched_yield();
    }
    return code;
}

constexpr Completion completions[] = {
    {"Wait", [](MPI_Request* r, MPI_Status* s) { return MPI_Wait(r, s); }},
    {"Waitall", [](MPI_Request* r, MPI_Status* s) { return MPI_Waitall(1, r, s); }},
    {"Waitany",
     [](MPI_Request* r, MPI_Status* s) {
         int which = -1;
         return MPI_Waitany(1, r, &which, s);
     }},
    {"Waitsome",
     [](MPI_Request* r, MPI_Status* s) {
         int count = 0, which = -1;
         return MPI_Waitsome(1, r, &count, &which, s);
     }},
    {"Test", [](MPI_Request* r,
                MPI_Status* s) { return repeat([&](int* flag) { return MPI_Test(r, flag, s); }); }},
    {"Testall",
     [](MPI_Request* r, MPI_Status* s) {
         return repeat([&](int* flag) { return MPI_Testall(1, r, flag, s); });
     }},
    {"Testany",
     [](MPI_Request* r, MPI_Status* s) {
         int which = -1;
         return repeat([&](int* flag) { return MPI_Testany(1, r, &which, flag, s); });
     }},
    {"Testsome",
     [](MPI_Request* r, MPI_Status* s) {
         int count = 0, which = -1;
         return repeat([&](int* flag) {
             const int code = MPI_Testsome(1, r, &count, &which, s);
             *flag = count;
             return code;
         });
     }},
    {"Request_get_status, then Wait",
     [](MPI_Request* r, MPI_Status* s) {
         repeat([&](int* flag) { return MPI_Request_get_status(*r, flag, s); });
         return MPI_Wait(r, s);
     }},
};

} // namespace

TEST_CASE("all ways of completing a nonblocking call") {
    const Planned planned;
    make_plan(planned.comm);
    for (const Completion& way : completions) {
        INFO(way.name);
        for (int round = 0; round < 3; round++) {
            Sum3 sum;
            sum.begin(planned.comm, round);
            MPI_Status status{};
            CHECK_MPI(way.complete(&sum.request, &status));
            CHECK(sum.request == MPI_REQUEST_NULL);
            int cancelled = -1;
            CHECK_MPI(MPI_Test_cancelled(&status, &cancelled));
            CHECK(cancelled == 0);
            sum.check(planned.comm, round);
        }
    }
}

TEST_CASE("nonblocking calls complete beside persistent ones and messages") {
    const Planned planned;
    make_plan(planned.comm);
    const int me = rank_of(), ranks = size_of();
    Sum persistent(planned.comm);
    for (int round = 0; round < 5; round++) {
        Sum3 sum;
        int sent = 10 * me + round, received = -1;
        MPI_Request requests[4] = {};
        persistent.start(round);
        requests[0] = persistent.request;
        CHECK_MPI(MPI_Irecv(&received, 1, MPI_INT, (me + ranks - 1) % ranks, 5, MPI_COMM_WORLD,
                            &requests[1]));
        sum.begin(planned.comm, round);
        requests[2] = sum.request;
        CHECK_MPI(MPI_Isend(&sent, 1, MPI_INT, (me + 1) % ranks, 5, MPI_COMM_WORLD, &requests[3]));
        CHECK_MPI(MPI_Waitall(4, requests, MPI_STATUSES_IGNORE));
        CHECK(requests[0] == persistent.request);
        for (int i = 1; i < 4; i++) CHECK(requests[i] == MPI_REQUEST_NULL);
        persistent.check();
        sum.check(planned.comm, round);
        CHECK(received == 10 * ((me + ranks - 1) % ranks) + round);
    }
}

TEST_CASE("a communicator is freed while calls are pending on it") {
    for (int round = 0; round < 8; round++) {
        MPI_Comm comm = duplicate();
        CHECK_MPI(MPIX_Auto_set(comm, 1));
        make_plan(comm);
        const int ranks = size_of();
        std::vector<Sum3> sums(4);
        std::vector<MPI_Request> requests;
        for (std::size_t i = 0; i < sums.size(); i++) {
            sums[i].begin(comm, static_cast<int>(i));
            requests.push_back(sums[i].request);
        }
        free_comm(comm);
        CHECK_MPI(MPI_Waitall(4, requests.data(), MPI_STATUSES_IGNORE));
        for (std::size_t i = 0; i < sums.size(); i++) {
            CHECK(requests[i] == MPI_REQUEST_NULL);
            CHECK(size_of() == ranks);
            sums[i].check(MPI_COMM_WORLD, static_cast<int>(i));
        }
    }
}

TEST_CASE("a type is freed while a call that needs it is pending") {
    const Planned planned;
    const int ranks = size_of();
    for (int round = 0; round < 6; round++) {
        MPI_Datatype pairs = MPI_DATATYPE_NULL;
        CHECK_MPI(MPI_Type_vector(2, 1, 2, MPI_INT, &pairs));
        CHECK_MPI(MPI_Type_commit(&pairs));
        std::vector<int> data(4, -1);
        if (rank_of() == ranks - 1) data = {round, -1, 2 * round, -1};
        MPI_Request request = MPI_REQUEST_NULL;
        CHECK_MPI(MPI_Ibcast(data.data(), 1, pairs, ranks - 1, planned.comm, &request));
        CHECK_MPI(MPI_Type_free(&pairs));
        CHECK_MPI(MPI_Wait(&request, MPI_STATUS_IGNORE));
        CHECK(data == std::vector<int>{round, -1, 2 * round, -1});
        CHECK_MPI(MPI_Barrier(planned.comm));
    }
}

// The plan is made in a blocking call that is none of those which are named.
TEST_CASE("a neighbourhood that is named has nonblocking plans") {
    if (size_of() == 1) return;
    const int ranks = size_of(), is_periodic = 0;
    MPI_Comm line = MPI_COMM_NULL;
    CHECK_MPI(MPI_Cart_create(MPI_COMM_WORLD, 1, &ranks, &is_periodic, 0, &line));
    {
        const Info named("mpix_auto", "neighbor_alltoall");
        CHECK_MPI(MPI_Comm_set_info(line, named));
    }
    const int me = rank_of(line);
    const char* solver = nullptr;
    for (int round = 0; round < 6; round++) {
        const int in[2] = {100 * me + round, 100 * me + 50 + round};
        int out[2] = {-1, -1};
        MPI_Request request = MPI_REQUEST_NULL;
        CHECK_MPI(MPI_Ineighbor_alltoall(in, 1, MPI_INT, out, 1, MPI_INT, line, &request));
        solver = MPIX_Plan_name(request);
        CHECK_MPI(MPI_Wait(&request, MPI_STATUS_IGNORE));
        CHECK(out[0] == (me > 0 ? 100 * (me - 1) + 50 + round : -1));
        CHECK(out[1] == (me < ranks - 1 ? 100 * (me + 1) + round : -1));
        CHECK_MPI(MPI_Barrier(line));
    }
    CHECK(solver != nullptr);
    free_comm(line);
}

// A sum of more than two in floating point may have no other bits in the third call.
TEST_CASE("bits of a nonblocking sum stay") {
    const Planned planned;
    double in = 1.0 / (3 + rank_of()), first = 0;
    for (int round = 0; round < 6; round++) {
        double out = -1;
        MPI_Request request = MPI_REQUEST_NULL;
        CHECK_MPI(MPI_Iallreduce(&in, &out, 1, MPI_DOUBLE, MPI_SUM, planned.comm, &request));
        CHECK_MPI(MPI_Wait(&request, MPI_STATUS_IGNORE));
        CHECK_MPI(MPI_Barrier(planned.comm));
        if (round == 0) first = out;
        CHECK(std::memcmp(&out, &first, sizeof out) == 0);
    }
}

TEST_CASE("the request of a nonblocking call is no persistent one") {
    const Planned planned;
    if (size_of() == 1) return; // it is the host's
    make_plan(planned.comm);
    {
        const ErrorsReturn errors_return;
        CHECK_MPI(MPI_Comm_set_errhandler(planned.comm, MPI_ERRORS_RETURN));
        Sum3 sum;
        sum.begin(planned.comm, 1);
        MPI_Request request = sum.request, bundle = MPI_REQUEST_NULL;
        CHECK(class_of(MPI_Start(&request)) == MPI_ERR_REQUEST);
        CHECK(class_of(MPI_Request_free(&request)) == MPI_ERR_REQUEST);
        CHECK(class_of(MPIX_Bundle_init(1, &request, MPI_INFO_NULL, &bundle)) == MPI_ERR_REQUEST);
        CHECK_MPI(MPI_Wait(&sum.request, MPI_STATUS_IGNORE));
        sum.check(planned.comm, 1);
    }
}
