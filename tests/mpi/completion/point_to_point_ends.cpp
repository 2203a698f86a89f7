// SPDX-License-Identifier: BSD-3-Clause
// How persistent messages end other than by plain completion: with an error, because the message is
// too long; freed while active; cancelled.
#include "common/errors.hpp"
#include "completion/point_to_point.hpp"

using namespace mpitest;

namespace {

constexpr int small = 1, large = 60'000; // sent at once, and only when the receiver is there

bool wait_for_value(const volatile int& place, int value) {
    for (int i = 0; i < 200'000 && place != value; i++) {
        int flag = 0;
        CHECK_MPI(MPI_Iprobe(MPI_ANY_SOURCE, 99, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE));
        pause_briefly();
    }
    return place == value;
}

// A message of three ints for a receive of one, then one that fits.
void receive_too_much(const Completion& way, Requests& requests, int& received, int& sent_right) {
    const Ring ring;
    const int too_much[3] = {1, 2, 3};
    sent_right = -1;
    CHECK_MPI(MPI_Startall(2, requests.data()));
    CHECK_MPI(MPI_Barrier(MPI_COMM_WORLD));
    CHECK_MPI(MPI_Send(too_much, 3, MPI_INT, ring.next, 52, MPI_COMM_WORLD));
    const Outcome outcome = complete(way, requests);
    CHECK(class_of(outcome.codes[0]) == MPI_ERR_TRUNCATE);
    CHECK(outcome.codes[1] == MPI_SUCCESS);
    for (const MPI_Request request : requests) CHECK(request != MPI_REQUEST_NULL);

    received = -1;
    sent_right = ring.me + 10;
    CHECK_MPI(MPI_Startall(2, requests.data()));
    CHECK_MPI(MPI_Send(&sent_right, 1, MPI_INT, ring.next, 52, MPI_COMM_WORLD));
    CHECK(complete(way, requests).codes == std::vector<int>(2, MPI_SUCCESS));
    CHECK(received == ring.previous + 10);
}

// Starts a send to the next rank and frees it; the receive comes later.
void free_active_send(const SendKind& kind, int size) {
    INFO(kind.name << " of " << size);
    const Ring ring;
    const auto n = static_cast<std::size_t>(size);
    std::vector<int> out(n, ring.me), in(n, -1);
    MPI_Request receive = MPI_REQUEST_NULL, send = MPI_REQUEST_NULL;
    if (kind.ready)
        CHECK_MPI(MPI_Irecv(in.data(), size, MPI_INT, ring.previous, 53, MPI_COMM_WORLD, &receive));
    CHECK_MPI(MPI_Barrier(MPI_COMM_WORLD));
    CHECK_MPI(kind.init(out.data(), size, MPI_INT, ring.next, 53, MPI_COMM_WORLD, &send));
    CHECK_MPI(MPI_Start(&send));
    free_request(send);
    Ours between; // may take the place of the freed one
    between.run(size);
    if (!kind.ready)
        CHECK_MPI(MPI_Irecv(in.data(), size, MPI_INT, ring.previous, 53, MPI_COMM_WORLD, &receive));
    CHECK_MPI(MPI_Wait(&receive, MPI_STATUS_IGNORE));
    CHECK(in == std::vector<int>(n, ring.previous));
    CHECK_MPI(MPI_Barrier(MPI_COMM_WORLD)); // the buffer is needed until the next rank has it
}

// Starts a receive from the previous rank and frees it; the message comes later.
void free_active_receive(const RecvKind& kind, int size) {
    INFO(kind.name << " of " << size);
    const Ring ring;
    const auto n = static_cast<std::size_t>(size);
    std::vector<int> out(n, ring.me + 1), in(n, -1);
    MPI_Request receive = MPI_REQUEST_NULL;
    CHECK_MPI(kind.init(in.data(), size, MPI_INT, ring.previous, 54, MPI_COMM_WORLD, &receive));
    CHECK_MPI(MPI_Start(&receive));
    free_request(receive);
    Ours between;
    between.run(size);
    CHECK_MPI(MPI_Send(out.data(), size, MPI_INT, ring.next, 54, MPI_COMM_WORLD));
    CHECK(wait_for_value(in.back(), ring.previous + 1));
    CHECK(in == std::vector<int>(n, ring.previous + 1));
    CHECK_MPI(MPI_Barrier(MPI_COMM_WORLD));
}

struct Told {
    int times = 0, error_class = MPI_SUCCESS;
    MPI_Comm comm = MPI_COMM_NULL;
} told;

void remember(MPI_Comm* comm, int* code, ...) { told = {told.times + 1, class_of(*code), *comm}; }

bool was_cancelled(const MPI_Status& status) {
    int flag = -1;
    CHECK_MPI(MPI_Test_cancelled(&status, &flag));
    return flag == 1;
}

} // namespace

TEST_CASE("a persistent receive whose message was too long can be started again") {
    if (size_of() == 1) return; // Open MPI 4.1 does not notice on messages to oneself
    const ErrorsReturn guard;
    with_and_without_plan([] {
        const Ring ring;
        int received = -1, sent = 0, own = -1;
        Requests requests{recv_from(ring.previous, 52, received), send_to(ring.me, 58, sent)};
        MPI_Request own_message = recv_from(ring.me, 58, own);
        for (const Completion& way : completions) {
            INFO(way.name);
            CHECK_MPI(MPI_Start(&own_message));
            receive_too_much(way, requests, received, sent);
            CHECK_MPI(MPI_Wait(&own_message, MPI_STATUS_IGNORE));
            start_and_wait(own_message); // both rounds sent one
            CHECK(own == sent);
        }
        free_request(own_message);
        for (MPI_Request& request : requests) free_request(request);
    });
}

TEST_CASE("an error handler is told once of a persistent receive whose message was too long") {
    if (size_of() == 1) return;
    with_and_without_plan([] {
        const Ring ring;
        const int too_much[3] = {};
        int received = -1;
        MPI_Comm comm = MPI_COMM_NULL;
        MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
        CHECK_MPI(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
        CHECK_MPI(MPI_Comm_create_errhandler(remember, &handler));
        for (const MPI_Comm each : {comm, MPI_COMM_WORLD, MPI_COMM_SELF})
            CHECK_MPI(MPI_Comm_set_errhandler(each, handler));
        Requests requests(1, MPI_REQUEST_NULL);
        CHECK_MPI(MPI_Recv_init(&received, 1, MPI_INT, ring.previous, 61, comm, &requests[0]));
        for (const Completion& way : completions) {
            if (std::string(way.name) == "Request_get_status and Wait") continue; // both may tell
            INFO(way.name);
            told = {};
            CHECK_MPI(MPI_Start(&requests[0]));
            CHECK_MPI(MPI_Barrier(MPI_COMM_WORLD));
            CHECK_MPI(MPI_Send(too_much, 3, MPI_INT, ring.next, 61, comm));
            complete(way, requests);
            CHECK(told.times == 1);
            const bool is_single =
                std::string(way.name) == "Wait" || std::string(way.name) == "Test";
            if (is_single) CHECK(told.comm == comm);
            if (is_single) CHECK(told.error_class == MPI_ERR_TRUNCATE);
        }
        free_request(requests[0]);
        CHECK_MPI(MPI_Comm_free(&comm));
        CHECK_MPI(MPI_Errhandler_free(&handler));
    });
    for (const MPI_Comm each : {MPI_COMM_WORLD, MPI_COMM_SELF})
        CHECK_MPI(MPI_Comm_set_errhandler(each, MPI_ERRORS_ARE_FATAL));
}

TEST_CASE("a persistent send that is freed while active arrives") {
    const AttachedBuffer memory(2 * (large * static_cast<int>(sizeof(int)) + MPI_BSEND_OVERHEAD));
    with_and_without_plan([] {
        for (const SendKind& kind : send_kinds)
            for (const int size : {small, large}) free_active_send(kind, size);
    });
}

TEST_CASE("a persistent receive that is freed while active still gets its message") {
    with_and_without_plan([] {
        for (const RecvKind& kind : recv_kinds)
            for (const int size : {small, large}) free_active_receive(kind, size);
    });
}

TEST_CASE("a persistent receive can be cancelled, and started again") {
    with_and_without_plan([] {
        const Ring ring;
        int received = -1;
        Ours ours;
        Requests requests{recv_from(ring.previous, 59, received), ours.request};
        int round = 0;
        for (const Completion& way : completions) {
            INFO(way.name);
            ours.prepare(++round);
            CHECK_MPI(MPI_Startall(2, requests.data()));
            CHECK_MPI(MPI_Cancel(&requests[0]));
            const Outcome outcome = complete(way, requests);
            CHECK(outcome.codes == std::vector<int>(2, MPI_SUCCESS));
            CHECK(was_cancelled(outcome.statuses[0]));
            CHECK(ours.right(round));
            CHECK(requests[0] != MPI_REQUEST_NULL);

            MPI_Status status = spoiled_status();
            CHECK_MPI(MPI_Start(&requests[0]));
            CHECK_MPI(MPI_Send(&round, 1, MPI_INT, ring.next, 59, MPI_COMM_WORLD));
            CHECK_MPI(MPI_Wait(&requests[0], &status));
            CHECK(!was_cancelled(status));
            CHECK(received == round);
        }
        free_request(requests[0]);
    });
}

TEST_CASE("a persistent receive that has its message is not cancelled") {
    with_and_without_plan([] {
        const int sent = 9;
        int received = -1, later = 0;
        MPI_Status status = spoiled_status();
        MPI_Request recv = MPI_REQUEST_NULL;
        CHECK_MPI(MPI_Recv_init(&received, 1, MPI_INT, 0, 60, MPI_COMM_SELF, &recv));
        CHECK_MPI(MPI_Start(&recv));
        CHECK_MPI(MPI_Send(&sent, 1, MPI_INT, 0, 60, MPI_COMM_SELF));
        // Once a second message has arrived, so has the first.
        CHECK_MPI(MPI_Sendrecv(&sent, 1, MPI_INT, 0, 61, &later, 1, MPI_INT, 0, 61, MPI_COMM_SELF,
                               MPI_STATUS_IGNORE));
        CHECK_MPI(MPI_Cancel(&recv));
        CHECK_MPI(MPI_Wait(&recv, &status));
        CHECK(!was_cancelled(status));
        CHECK(received == 9);
        free_request(recv);
    });
}
