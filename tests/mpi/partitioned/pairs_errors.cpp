// SPDX-License-Identifier: BSD-3-Clause
// Wrong use of partitioned sends and receives: the class that the standard names, through the error
// handler of the communicator, and the request works afterwards.
#include "common/errors.hpp"
#include "common/plans.hpp"
#include "partitioned/pairs.hpp"

#include <climits>
#include <functional>

using namespace mpitest;

namespace {

int memory[64];

// The arguments of an init, of which a case spoils one.
struct Arguments {
    void* buffer = memory;
    int partitions = 2;
    MPI_Count count = 3;
    MPI_Datatype type = MPI_INT;
    int peer = 0;
    int tag = 0;
    MPI_Comm comm = MPI_COMM_WORLD;
};

struct Case {
    const char* name;
    int error_class;
    std::vector<const char*> words;
    std::function<void(Arguments&)> spoil;
};

int init(bool sends, const Arguments& with, MPI_Request* request) {
    return (sends ? MPI_Psend_init(with.buffer, with.partitions, with.count, with.type, with.peer,
                                   with.tag, with.comm, MPI_INFO_NULL, request)
                  : MPI_Precv_init(with.buffer, with.partitions, with.count, with.type, with.peer,
                                   with.tag, with.comm, MPI_INFO_NULL, request));
}

void check_refused(const Case& one) {
    for (const bool sends : {true, false}) {
        INFO((sends ? "send, " : "receive, ") << one.name);
        Arguments with;
        one.spoil(with);
        MPI_Request request = MPI_REQUEST_NULL;
        const int code = init(sends, with, &request);
        check_error(code, {one.error_class}, {sends ? "MPI_Psend_init" : "MPI_Precv_init"});
        for (const char* word : one.words) CHECK(contains(error_text(code), word));
        CHECK(request == MPI_REQUEST_NULL);
    }
}

// A pair round the ring, which must work after what was done to it.
struct Victim : RingPair {
    Victim() : RingPair({3, 4}, {4, 3}) {}
};

int handled = 0, handled_class = 0;
MPI_Comm handled_comm = MPI_COMM_NULL;

void remember(MPI_Comm* comm, int* code, ...) {
    handled++;
    handled_comm = *comm;
    handled_class = class_of(*code);
}

int list_of(MPI_Request request, std::vector<int> list) {
    return MPI_Pready_list(static_cast<int>(list.size()), list.data(), request);
}

} // namespace

TEST_CASE("arguments of an init that are out of range") {
    const ErrorsReturn guard;
    const std::vector<Case> cases{
        {"no partition", MPI_ERR_ARG, {"partitions", "0"}, [](auto& a) { a.partitions = 0; }},
        {"fewer than none", MPI_ERR_ARG, {"partitions", "-3"}, [](auto& a) { a.partitions = -3; }},
        {"a negative count", MPI_ERR_COUNT, {"count", "-1"}, [](auto& a) { a.count = -1; }},
        {"too many elements", MPI_ERR_COUNT, {"count"}, [](auto& a) { a.count = 1LL << 62; }},
        {"too many bytes", MPI_ERR_COUNT, {"count"}, [](auto& a) { a.count = 1LL << 60; }},
        {"no type", MPI_ERR_TYPE, {"datatype"}, [](auto& a) { a.type = MPI_DATATYPE_NULL; }},
        {"beyond the last rank", MPI_ERR_RANK, {}, [](auto& a) { a.peer = size_of(); }},
        {"a negative rank", MPI_ERR_RANK, {"-77"}, [](auto& a) { a.peer = -77; }},
        {"any source", MPI_ERR_RANK, {"MPI_ANY_SOURCE"}, [](auto& a) { a.peer = MPI_ANY_SOURCE; }},
        {"any tag", MPI_ERR_TAG, {"MPI_ANY_TAG"}, [](auto& a) { a.tag = MPI_ANY_TAG; }},
        {"a negative tag", MPI_ERR_TAG, {"tag", "-9"}, [](auto& a) { a.tag = -9; }},
        {"no communicator", MPI_ERR_COMM, {"comm"}, [](auto& a) { a.comm = MPI_COMM_NULL; }},
        {"in place", MPI_ERR_BUFFER, {"MPI_IN_PLACE"}, [](auto& a) { a.buffer = MPI_IN_PLACE; }},
    };
    for (const Case& one : cases) check_refused(one);
    MPI_Datatype raw = MPI_DATATYPE_NULL;
    MPI_Type_contiguous(2, MPI_INT, &raw);
    check_refused({"not committed", MPI_ERR_TYPE, {"commit"}, [&](auto& a) { a.type = raw; }});
    MPI_Type_free(&raw);
    int* limit = nullptr;
    int found = 0;
    MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &limit, &found);
    if (found && *limit < INT_MAX)
        check_refused(
            {"beyond the tags", MPI_ERR_TAG, {"tag"}, [&](auto& a) { a.tag = *limit + 1; }});
}

TEST_CASE("the place of the request is null") {
    const ErrorsReturn guard;
    for (const bool sends : {true, false}) CHECK(class_of(init(sends, {}, nullptr)) == MPI_ERR_ARG);
}

// The inits that failed have had no turn.
TEST_CASE("an init that failed does not count among those of its envelope") {
    const ErrorsReturn guard;
    for (int time = 0; time < 3; time++) {
        Arguments bad;
        bad.peer = (rank_of() + 1) % size_of();
        bad.tag = 7;
        bad.partitions = 0;
        MPI_Request request = MPI_REQUEST_NULL;
        CHECK(init(true, bad, &request) != MPI_SUCCESS);
        bad.partitions = 1;
        bad.count = -1;
        CHECK(init(true, bad, &request) != MPI_SUCCESS);
        bad.count = 1;
        bad.type = MPI_DATATYPE_NULL;
        CHECK(init(time % 2 == 0, bad, &request) != MPI_SUCCESS);
        Victim victim;
        victim.run(time);
    }
}

TEST_CASE("partitions out of range") {
    const ErrorsReturn guard;
    Victim victim;
    for (int round = 0; round < 3; round++) {
        victim.start(round);
        const MPI_Request send = victim.send.request, recv = victim.recv.request;
        for (const int bad : {-1, 4, 5, INT_MAX, INT_MIN}) {
            INFO("partition " << bad);
            check_error(MPI_Pready(bad, send), {MPI_ERR_ARG}, {"MPI_Pready", "partition"});
            check_error(list_of(send, {0, bad, 1}), {MPI_ERR_ARG}, {"MPI_Pready_list"});
            int flag = -7;
            check_error(MPI_Parrived(recv, bad, &flag), {MPI_ERR_ARG}, {"MPI_Parrived"});
            CHECK(flag == -7);
        }
        check_error(MPI_Pready_range(-1, 2, send), {MPI_ERR_ARG}, {"MPI_Pready_range", "-1"});
        check_error(MPI_Pready_range(2, 4, send), {MPI_ERR_ARG}, {"MPI_Pready_range", "4"});
        check_error(MPI_Pready_range(2, 1, send), {MPI_ERR_ARG}, {"MPI_Pready_range"});
        check_error(MPI_Pready_list(-1, nullptr, send), {MPI_ERR_ARG}, {"length"});
        check_error(MPI_Pready_list(2, nullptr, send), {MPI_ERR_ARG}, {"null"});
        CHECK_MPI(MPI_Pready_list(0, nullptr, send));
        int flag = -7;
        check_error(MPI_Parrived(recv, 3, &flag), {MPI_ERR_ARG}, {"MPI_Parrived"});
        check_error(MPI_Parrived(recv, 0, nullptr), {MPI_ERR_ARG}, {"flag"});
        // Nothing of it was marked: each can be, once.
        victim.send.mark_all(static_cast<std::uint32_t>(round));
        victim.finish();
    }
}

TEST_CASE("a partition marked twice") {
    const ErrorsReturn guard;
    Victim victim;
    for (int round = 0; round < 3; round++) {
        victim.start(round);
        const MPI_Request send = victim.send.request;
        victim.send.mark(1);
        check_error(MPI_Pready(1, send), {MPI_ERR_ARG}, {"MPI_Pready", "1"});
        victim.send.write(0);
        victim.send.write(2);
        check_error(MPI_Pready_range(0, 2, send), {MPI_ERR_ARG}, {"MPI_Pready_range", "1"});
        victim.send.write(3);
        check_error(list_of(send, {3, 3}), {MPI_ERR_ARG}, {"MPI_Pready_list", "3"});
        for (int part = 0; part < 4; part++) CHECK(class_of(MPI_Pready(part, send)) == MPI_ERR_ARG);
        victim.finish();
    }
}

TEST_CASE("marking what is not active") {
    const ErrorsReturn guard;
    Victim victim;
    for (int round = 0; round < 3; round++) {
        const MPI_Request send = victim.send.request;
        check_error(MPI_Pready(0, send), {MPI_ERR_REQUEST}, {"MPI_Pready", "inactive"});
        check_error(MPI_Pready_range(0, 3, send), {MPI_ERR_REQUEST}, {"MPI_Pready_range"});
        check_error(list_of(send, {0}), {MPI_ERR_REQUEST}, {"MPI_Pready_list"});
        victim.run(round);
    }
}

TEST_CASE("marking a receive, asking a send, and requests that have no partitions") {
    const ErrorsReturn guard;
    Victim victim;
    int value = 0, flag = -7;
    MPI_Request other = MPI_REQUEST_NULL;
    CHECK_MPI(MPI_Recv_init(&value, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, &other));
    Ours sum;
    for (int round = 0; round < 3; round++) {
        for (const MPI_Request wrong :
             {victim.recv.request, other, sum.request, MPI_Request(MPI_REQUEST_NULL)}) {
            check_error(MPI_Pready(0, wrong), {MPI_ERR_REQUEST}, {"MPI_Pready", "request"});
            check_error(MPI_Pready_range(0, 0, wrong), {MPI_ERR_REQUEST}, {"MPI_Pready_range"});
            check_error(list_of(wrong, {0}), {MPI_ERR_REQUEST}, {"MPI_Pready_list"});
        }
        for (const MPI_Request wrong : {victim.send.request, other, sum.request})
            check_error(MPI_Parrived(wrong, 0, &flag), {MPI_ERR_REQUEST}, {"MPI_Parrived"});
        CHECK(flag == -7);
        if (round == 0) continue;
        victim.start(round); // the same while they are active
        check_error(MPI_Pready(0, victim.recv.request), {MPI_ERR_REQUEST}, {"MPI_Pready"});
        check_error(MPI_Parrived(victim.send.request, 0, &flag), {MPI_ERR_REQUEST}, {"Parrived"});
        victim.send.mark_all(1);
        victim.finish();
    }
    free_request(other);
}

TEST_CASE("what is inactive or null has arrived") {
    Victim victim;
    int flag = -7;
    CHECK_MPI(MPI_Parrived(MPI_REQUEST_NULL, 0, &flag));
    CHECK(flag == 1);
    for (int round = 0; round < 3; round++) {
        for (int part = 0; part < 3; part++) CHECK(victim.recv.has(part));
        victim.run(round);
    }
}

TEST_CASE("Start, free and Cancel of active ones") {
    const ErrorsReturn guard;
    Victim victim;
    for (int round = 0; round < 3; round++) {
        victim.start(round);
        for (MPI_Request* request : {&victim.recv.request, &victim.send.request}) {
            const MPI_Request before = *request;
            check_error(MPI_Start(request), {MPI_ERR_REQUEST}, {"MPI_Start", "active"});
            check_error(MPI_Startall(1, request), {MPI_ERR_REQUEST}, {"MPI_Startall", "active"});
            check_error(MPI_Request_free(request), {MPI_ERR_REQUEST}, {"free", "active"});
            check_error(MPI_Cancel(request), {MPI_ERR_REQUEST}, {"cancel"});
            CHECK(*request == before);
        }
        victim.send.mark_all(1);
        victim.finish();
        for (MPI_Request* request : {&victim.recv.request, &victim.send.request})
            check_error(MPI_Cancel(request), {MPI_ERR_REQUEST}, {"cancel"});
    }
}

TEST_CASE("what is sent to nobody may be marked in any number") {
    MPI_Comm copy = duplicate();
    CHECK_MPI(MPI_Comm_set_errhandler(copy, MPI_ERRORS_RETURN));
    SendEnd send({3, 2}, {MPI_PROC_NULL, 0, copy});
    for (int round = 0; round < 3; round++) {
        send.start(round);
        CHECK_MPI(MPI_Pready(1, send.request));
        CHECK_MPI(MPI_Pready(1, send.request));
        CHECK_MPI(MPI_Pready_range(0, 2, send.request));
        int list[] = {2, 0, 2};
        CHECK_MPI(MPI_Pready_list(3, list, send.request));
        CHECK_MPI(MPIX_Pready_extended(0, MPI_PROC_NULL, &send.request));
        CHECK_MPI(MPIX_Pready_extended(0, MPIX_ALL_DESTS, &send.request));
        check_error(MPI_Pready(3, send.request), {MPI_ERR_ARG}, {"no partition 3"});
        check_error(MPI_Pready_range(1, 3, send.request), {MPI_ERR_ARG}, {"no partition 3"});
        check_error(MPIX_Pready_extended(0, 0, &send.request), {MPI_ERR_RANK}, {"no dest 0"});
        send.write(0), send.write(1), send.write(2);
        send.finish();
        check_error(MPI_Pready(1, send.request), {MPI_ERR_REQUEST}, {"inactive"});
    }
    free_comm(copy);
}

TEST_CASE("the error handler of the communicator is called, that of the world for the null one") {
    MPI_Comm copy = duplicate();
    MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
    CHECK_MPI(MPI_Comm_create_errhandler(remember, &handler));
    CHECK_MPI(MPI_Comm_set_errhandler(copy, handler));
    handled = 0;
    Arguments with;
    with.comm = copy;
    with.tag = -4;
    MPI_Request request = MPI_REQUEST_NULL;
    CHECK(class_of(init(true, with, &request)) == MPI_ERR_TAG);
    CHECK((handled == 1 && handled_comm == copy && handled_class == MPI_ERR_TAG));

    SendEnd send({2, 1}, {MPI_PROC_NULL, 0, copy});
    CHECK(class_of(MPI_Pready(0, send.request)) == MPI_ERR_REQUEST);
    CHECK((handled == 2 && handled_comm == copy && handled_class == MPI_ERR_REQUEST));
    send.start(0);
    CHECK(class_of(MPI_Pready(2, send.request)) == MPI_ERR_ARG);
    CHECK((handled == 3 && handled_comm == copy && handled_class == MPI_ERR_ARG));

    CHECK(class_of(MPI_Pready_range(1, 0, send.request)) == MPI_ERR_ARG);
    CHECK(class_of(MPI_Pready_list(-1, nullptr, send.request)) == MPI_ERR_ARG);
    CHECK(class_of(MPI_Parrived(send.request, 0, nullptr)) == MPI_ERR_ARG);
    CHECK((handled == 6 && handled_comm == copy));

    free_comm(copy); // its errors go to the world's then
    CHECK_MPI(MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler));
    CHECK(class_of(MPI_Pready(2, send.request)) == MPI_ERR_ARG);
    CHECK((handled == 7 && handled_comm == MPI_COMM_WORLD));
    CHECK(class_of(MPI_Pready(0, MPI_REQUEST_NULL)) == MPI_ERR_REQUEST);
    CHECK((handled == 8 && handled_comm == MPI_COMM_WORLD));
    CHECK_MPI(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL));
    CHECK_MPI(MPI_Errhandler_free(&handler));
    send.mark_all(0);
    send.finish();
}
