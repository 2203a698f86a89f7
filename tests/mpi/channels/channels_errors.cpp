// SPDX-License-Identifier: BSD-3-Clause
// Wrong use of channels: an error with its reason, and the program goes on.
#include "channels/channels.hpp"
#include "common/errors.hpp"
#include "common/plans.hpp"

using namespace mpitest;

namespace {

void check_refused(int code, int error_class, std::initializer_list<const char*> words) {
    CHECK(class_of(code) == error_class);
    for (const char* word : words) CHECK(contains(error_text(code), word));
}

// Requests round the ring, which can be bound after all that was tried with them.
struct Requests {
    Neighbours near;
    int from[64] = {}, into[64] = {};
    MPI_Request in[2] = {init_of(Mode::send, from, {4}, {near.next, 1}),
                         init_of(Mode::recv, into, {4}, {near.previous, 1})};
    MPI_Request out[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};

    ~Requests() {
        for (MPI_Request& request : in) CHECK_MPI(MPI_Request_free(&request));
    }
    void bind_and_run() {
        CHECK_MPI(MPIX_Bind_channels(in, out, 2, nullptr));
        run();
        CHECK_MPI(MPIX_Unbind_channels(out, 2));
    }
    void run() {
        from[3] = near.me + 5;
        CHECK_MPI(MPI_Startall(2, out));
        CHECK_MPI(MPI_Waitall(2, out, MPI_STATUSES_IGNORE));
        CHECK(into[3] == near.previous + 5);
    }
};

} // namespace

TEST_CASE("what is no persistent send or receive cannot be bound") {
    const ErrorsReturn returned;
    Requests good;
    MPI_Request out = MPI_REQUEST_NULL;
    check_refused(MPIX_Bind_channel(MPI_REQUEST_NULL, &out, MPI_INFO_NULL), MPI_ERR_REQUEST,
                  {"MPIX_Bind_channel", "MPI_REQUEST_NULL"});
    Sum sum(MPI_COMM_WORLD);
    check_refused(MPIX_Bind_channel(sum.request, &out, MPI_INFO_NULL), MPI_ERR_REQUEST,
                  {"MPI_Allreduce_init"});
    MPI_Request message = MPI_REQUEST_NULL;
    int number = 0, sent = 0;
    CHECK_MPI(MPI_Irecv(&number, 1, MPI_INT, rank_of(), 77, MPI_COMM_WORLD, &message));
    check_refused(MPIX_Bind_channel(message, &out, MPI_INFO_NULL), MPI_ERR_REQUEST,
                  {"no persistent send or receive"});
    CHECK_MPI(MPI_Send(&sent, 1, MPI_INT, rank_of(), 77, MPI_COMM_WORLD));
    CHECK_MPI(MPI_Wait(&message, MPI_STATUS_IGNORE));
    CHECK(out == MPI_REQUEST_NULL);
    good.bind_and_run();
}

TEST_CASE("an active request cannot be bound") {
    const ErrorsReturn returned;
    Requests good;
    MPI_Request out = MPI_REQUEST_NULL;
    CHECK_MPI(MPI_Start(&good.in[1]));
    check_refused(MPIX_Bind_channel(good.in[1], &out, MPI_INFO_NULL), MPI_ERR_REQUEST, {"active"});
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK_MPI(MPI_Start(&good.in[0]));
    CHECK_MPI(MPI_Waitall(2, good.in, MPI_STATUSES_IGNORE));
    CHECK(out == MPI_REQUEST_NULL);
    good.bind_and_run();
}

TEST_CASE("an end of a channel, or what is being bound, cannot be bound again") {
    const ErrorsReturn returned;
    Requests good;
    MPI_Request out = MPI_REQUEST_NULL;
    CHECK_MPI(MPIX_Ibind_channels(good.in, good.out, 2, nullptr));
    check_refused(MPIX_Bind_channel(good.in[0], &out, MPI_INFO_NULL), MPI_ERR_REQUEST,
                  {"being bound"});
    MPI_Request twin = good.in[0];
    CHECK(class_of(MPI_Start(&twin)) == MPI_ERR_REQUEST);
    CHECK(class_of(MPI_Request_free(&twin)) == MPI_ERR_REQUEST);
    CHECK_MPI(MPI_Waitall(2, good.in, MPI_STATUSES_IGNORE));
    check_refused(MPIX_Bind_channel(good.out[0], &out, MPI_INFO_NULL), MPI_ERR_REQUEST,
                  {"end of a channel"});
    CHECK(out == MPI_REQUEST_NULL);
    good.run();
    CHECK_MPI(MPIX_Unbind_channels(good.out, 2));
}

TEST_CASE("a request cannot be twice in one call") {
    const ErrorsReturn returned;
    Requests good;
    const MPI_Request twice[] = {good.in[0], good.in[1], good.in[0]};
    MPI_Request out[3] = {};
    check_refused(MPIX_Bind_channels(twice, out, 3, nullptr), MPI_ERR_REQUEST, {"in[2]", "in[0]"});
    check_refused(MPIX_Bind_channels(twice, out, -1, nullptr), MPI_ERR_COUNT, {"-1"});
    check_refused(MPIX_Bind_channels(nullptr, out, 1, nullptr), MPI_ERR_ARG, {"null"});
    CHECK_MPI(MPIX_Bind_channels(nullptr, nullptr, 0, nullptr));
    good.bind_and_run();
}

TEST_CASE("slackness must be 1 or more, and the same at both ends") {
    const ErrorsReturn returned;
    Requests good;
    MPI_Request out = MPI_REQUEST_NULL;
    for (const int slack : {0, -3})
        check_refused(MPIX_Bind_slack_channel(good.in[0], &out, slack, MPI_INFO_NULL), MPI_ERR_ARG,
                      {"slackness", std::to_string(slack).c_str()});
    const int slacks[] = {3, 5};
    const int code = MPIX_Bind_slack_channels(good.in, good.out, 2, slacks, nullptr);
    check_refused(code, MPI_ERR_ARG, {"slackness", "3", "5"});
    CHECK((good.out[0] == MPI_REQUEST_NULL && good.out[1] == MPI_REQUEST_NULL));
    CHECK_MPI(MPIX_Ibind_slack_channels(good.in, good.out, 2, slacks, nullptr));
    for (MPI_Request& request : good.in) {
        const int late = MPI_Wait(&request, MPI_STATUS_IGNORE);
        check_refused(late, MPI_ERR_ARG, {"slackness", "3", "5"});
    }
    CHECK((good.out[0] == MPI_REQUEST_NULL && good.out[1] == MPI_REQUEST_NULL));
    good.bind_and_run();
}

TEST_CASE("ADDRESS_BASE_INCREMENT must be a number") {
    const ErrorsReturn returned;
    Requests good;
    MPI_Request out = MPI_REQUEST_NULL;
    for (const char* text : {"much", "3x", "1.5", "99999999999999999999", "-", "+-1"}) {
        InfoOf info({});
        info.set("ADDRESS_BASE_INCREMENT", text);
        check_refused(MPIX_Bind_slack_channel(good.in[0], &out, 2, info.info), MPI_ERR_INFO_VALUE,
                      {"ADDRESS_BASE_INCREMENT", text});
    }
    CHECK(out == MPI_REQUEST_NULL);
    good.bind_and_run();
}

TEST_CASE("the sender's block may not be larger") {
    const ErrorsReturn returned;
    Requests good;
    MPI_Request in[2] = {init_of(Mode::send, good.from, {8}, {good.near.next, 2}),
                         init_of(Mode::recv, good.into, {5}, {good.near.previous, 2})};
    MPI_Request out[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
    CHECK_MPI(MPIX_Ibind_channels(in, out, 2, nullptr));
    for (MPI_Request& request : in)
        check_refused(MPI_Wait(&request, MPI_STATUS_IGNORE), MPI_ERR_TRUNCATE, {"32", "20"});
    for (MPI_Request& request : in) CHECK_MPI(MPI_Request_free(&request));
    good.bind_and_run();
}

TEST_CASE("the sender's block may not end within an element of the receiver's") {
    const ErrorsReturn returned;
    Requests good;
    for (const Mode mode : {Mode::send, Mode::ssend}) {
        MPI_Request in[2] = {init_of(mode, good.from, {6, MPI_CHAR}, {good.near.next, 2}),
                             init_of(Mode::recv, good.into, {3}, {good.near.previous, 2})};
        MPI_Request out[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
        CHECK_MPI(MPIX_Ibind_channels(in, out, 2, nullptr));
        for (MPI_Request& request : in)
            check_refused(MPI_Wait(&request, MPI_STATUS_IGNORE), MPI_ERR_TYPE, {"6", "12", "4"});
        for (MPI_Request& request : in) CHECK_MPI(MPI_Request_free(&request));
    }
    good.bind_and_run();
}

TEST_CASE("ends made without a request fail at completion") {
    const ErrorsReturn returned;
    const Neighbours near;
    int from[8] = {}, into[5] = {};
    MPI_Request ends[2] = {};
    CHECK_MPI(MPIX_Send_channel_init(from, 8, MPI_INT, near.next, 2, MPI_COMM_WORLD, MPI_INFO_NULL,
                                     &ends[0]));
    CHECK_MPI(MPIX_Recv_channel_init(into, 5, MPI_INT, near.previous, 2, MPI_COMM_WORLD,
                                     MPI_INFO_NULL, &ends[1]));
    for (int round = 0; round < 2; round++) {
        CHECK_MPI(MPI_Startall(2, ends));
        for (MPI_Request& request : ends)
            check_refused(MPI_Wait(&request, MPI_STATUS_IGNORE), MPI_ERR_TRUNCATE, {"32", "20"});
    }
    CHECK_MPI(MPIX_Unbind_channels(ends, 2));
    MPI_Request made = MPI_REQUEST_NULL;
    CHECK(class_of(MPIX_Send_channel_init(from, 8, MPI_INT, near.ranks, 2, MPI_COMM_WORLD,
                                          MPI_INFO_NULL, &made)) == MPI_ERR_RANK);
    CHECK(class_of(MPIX_Send_channel_init(from, -8, MPI_INT, 0, 2, MPI_COMM_WORLD, MPI_INFO_NULL,
                                          &made)) == MPI_ERR_COUNT);
    CHECK(class_of(MPIX_Recv_channel_init(into, 5, MPI_DATATYPE_NULL, 0, 2, MPI_COMM_WORLD,
                                          MPI_INFO_NULL, &made)) == MPI_ERR_TYPE);
    CHECK(class_of(MPIX_Recv_channel_init(into, 5, MPI_INT, 0, -9, MPI_COMM_WORLD, MPI_INFO_NULL,
                                          &made)) == MPI_ERR_TAG);
    CHECK(made == MPI_REQUEST_NULL);
}

TEST_CASE("splitting must be meant by both, and possible") {
    const ErrorsReturn returned;
    Requests good;
    InfoOf plain({}), splits({});
    splits.set("mpix_split_merge", "true");
    const int slacks[] = {1, 1};
    const MPI_Info infos[] = {plain.info, splits.info};
    check_refused(MPIX_Bind_slack_channels(good.in, good.out, 2, slacks, infos), MPI_ERR_INFO,
                  {"mpix_split_merge"});
    std::vector<int> large(100'003);
    MPI_Request in[2] = {init_of(Mode::send, large.data(), {100'003}, {good.near.next, 2}),
                         init_of(Mode::recv, good.into, {7}, {good.near.previous, 2})};
    const MPI_Info both[] = {splits.info, splits.info};
    check_refused(MPIX_Bind_slack_channels(in, good.out, 2, slacks, both), MPI_ERR_COUNT,
                  {"400012", "28"});
    for (MPI_Request& request : in) CHECK_MPI(MPI_Request_free(&request));
    good.bind_and_run();
}

TEST_CASE("no start beyond the slackness") {
    const ErrorsReturn returned;
    Requests good;
    for (const int slots : {1, 3}) {
        const int slacks[] = {slots, slots};
        CHECK_MPI(MPIX_Bind_slack_channels(good.in, good.out, 2, slacks, nullptr));
        for (const std::size_t end : {1u, 0u}) {
            for (int i = 0; i < slots; i++) CHECK_MPI(MPI_Start(&good.out[end]));
            const int code = MPI_Start(&good.out[end]);
            check_refused(code, MPI_ERR_REQUEST, {"active"});
            if (slots > 1) CHECK(contains(error_text(code), "3"));
        }
        for (int i = 0; i < slots; i++) CHECK_MPI(MPI_Waitall(2, good.out, MPI_STATUSES_IGNORE));
        good.run();
        CHECK_MPI(MPIX_Unbind_channels(good.out, 2));
    }
}

TEST_CASE("a channel is unbound, and neither freed nor cancelled") {
    const ErrorsReturn returned;
    Requests good;
    CHECK_MPI(MPIX_Bind_channels(good.in, good.out, 2, nullptr));
    MPI_Request twin = good.out[0];
    check_refused(MPI_Request_free(&twin), MPI_ERR_REQUEST, {"unbound"});
    CHECK(twin == good.out[0]);
    CHECK_MPI(MPI_Start(&good.out[1]));
    CHECK(class_of(MPI_Cancel(&good.out[1])) == MPI_ERR_REQUEST);
    check_refused(MPIX_Unbind_channels(good.out, 2), MPI_ERR_REQUEST, {"request[1]", "active"});
    check_refused(MPIX_Unbind_channel(&good.out[1]), MPI_ERR_REQUEST, {"active"});
    check_refused(MPIX_Iunbind_channel(good.out[1], MPI_INFO_NULL), MPI_ERR_REQUEST, {"active"});
    check_refused(MPIX_Unbind_channel(&good.in[0]), MPI_ERR_REQUEST, {"no channel"});
    Sum sum(MPI_COMM_WORLD);
    check_refused(MPIX_Unbind_channel(&sum.request), MPI_ERR_REQUEST, {"no channel"});
    MPI_Request none = MPI_REQUEST_NULL;
    check_refused(MPIX_Unbind_channel(&none), MPI_ERR_REQUEST, {"no channel"});
    CHECK_MPI(MPI_Start(&good.out[0]));
    CHECK_MPI(MPI_Waitall(2, good.out, MPI_STATUSES_IGNORE));
    good.run();
    CHECK_MPI(MPIX_Unbind_channels(good.out, 2));
}

TEST_CASE("the communicator of the request has been freed") {
    const ErrorsReturn returned;
    Requests good;
    MPI_Comm copy = duplicate();
    MPI_Request in = init_of(Mode::send, good.from, {1}, {good.near.next, 1, copy}),
                out = MPI_REQUEST_NULL;
    free_comm(copy);
    check_refused(MPIX_Bind_channel(in, &out, MPI_INFO_NULL), MPI_ERR_COMM, {"freed"});
    CHECK(out == MPI_REQUEST_NULL);
    CHECK_MPI(MPI_Request_free(&in));
    good.bind_and_run();
}
