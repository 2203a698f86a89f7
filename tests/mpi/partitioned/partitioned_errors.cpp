// SPDX-License-Identifier: BSD-3-Clause
// Wrong use of partitioned collectives. Every error returns on every rank, through the handler of
// the request's communicator, and leaves the request usable: the round goes on to its right end.
#include "common/errors.hpp"
#include "partitioned/partitioned_marks.hpp"

using namespace mpitest;

namespace {

// Calls `misuse(operation)` in a round of each operation, before anything is marked; then the round
// ends as if nothing had been.
template<class Misuse>
void in_each_round(Misuse misuse) {
    const ErrorsReturn guard;
    const Topology ring = grid({size_of()}, {1});
    MPI_Comm_set_errhandler(ring.comm, MPI_ERRORS_RETURN);
    for (const Partitioned& row : partitioned_calls) {
        PartedCase of{.row = &row, .granules = 2, .root = size_of() - 1, .seed = 5};
        if (row.is_neighbor()) of.comm = ring.comm, of.topology = &ring;
        PartedOperation operation(of);
        INFO(operation.text());
        for (int round = 0; round < 2; round++) {
            operation.start(round);
            misuse(operation);
            Marker(operation, 1).mark_all(Marking::extended_list);
            CHECK_MPI(MPI_Wait(&operation.request, MPI_STATUS_IGNORE));
            operation.check();
        }
    }
}

void check_request(int code) { CHECK(class_of(code) == MPI_ERR_REQUEST); }
void check_argument(int code) { CHECK(class_of(code) == MPI_ERR_ARG); }
void check_rank(int code) { CHECK(class_of(code) == MPI_ERR_RANK); }

// Dests and sources that an operation cannot have.
const std::vector<int> nowhere{-1, 1000, MPI_PROC_NULL, MPI_ANY_SOURCE};

int list_of_one = 0; // not constant: MPICH's mpi.h forgets that

} // namespace

TEST_CASE("a partition that does not exist is not marked, nor any other of the call") {
    in_each_round([](PartedOperation& operation) {
        if (operation.sends().empty()) return;
        MPI_Request& request = operation.request;
        const int end = static_cast<int>(operation.sends().size());
        for (const int outside : {-1, end, INT32_MAX, INT32_MIN + 1}) {
            check_argument(MPI_Pready(outside, request));
            int list[] = {0, outside, end - 1};
            check_argument(MPI_Pready_list(3, list, request));
        }
        check_error(MPI_Pready(end, request), {MPI_ERR_ARG},
                    {"MPI_Pready", operation.about().row->name, "partition", "only 0 to"});
        check_argument(MPI_Pready_range(0, end, request));
        check_argument(MPI_Pready_range(-1, 0, request));
        check_argument(MPI_Pready_range(1, 0, request));
        check_argument(MPI_Pready_list(-1, &list_of_one, request));
        check_argument(MPI_Pready_list(1, nullptr, request));
    });
}

TEST_CASE("a segment has no partitions of the next one") {
    in_each_round([](PartedOperation& operation) {
        MPI_Request& request = operation.request;
        for (const Part& part : operation.sends()) {
            const bool is_one = operation.shapes().send_is_one();
            const int dest = is_one ? MPIX_ALL_DESTS : part.segment;
            const int end = operation.shapes().sent(operation.shapes().me(), part.segment).parts;
            int list[] = {0, end};
            check_argument(MPIX_Pready_extended(end, dest, &request));
            check_argument(MPIX_Pready_extended(-1, MPIX_ALL_DESTS, &request));
            check_argument(MPIX_Pready_range_extended(0, end, dest, &request));
            check_argument(MPIX_Pready_range_extended(end - 1, end - 2, dest, &request));
            check_argument(MPIX_Pready_list_extended(2, list, dest, &request));
            check_argument(MPIX_Pready_list_extended(-1, list, dest, &request));
        }
        for (const int dest : nowhere) {
            if (operation.sends().empty()) continue;
            check_rank(MPIX_Pready_extended(0, dest, &request));
            check_rank(MPIX_Pready_range_extended(0, 0, dest, &request));
            check_rank(MPIX_Pready_list_extended(1, &list_of_one, dest, &request));
        }
        if (!operation.sends().empty())
            check_rank(MPIX_Pready_extended(0, MPIX_ALL_SOURCES, &request));
    });
}

TEST_CASE("a partition or source that does not exist is not asked for") {
    in_each_round([](PartedOperation& operation) {
        if (operation.receives().empty()) return;
        MPI_Request& request = operation.request;
        const int end = static_cast<int>(operation.receives().size());
        int flag = -7, index = -7, indices[2] = {-7, -7};
        for (const int outside : {-1, end, INT32_MAX}) {
            const int list[] = {0, outside};
            check_argument(MPI_Parrived(request, outside, &flag));
            check_argument(MPIX_Parrived_any(request, 2, list, &index, &flag));
            check_argument(MPIX_Parrived_some(request, 2, list, &index, indices));
        }
        check_argument(MPIX_Parrived_extended(&request, end, MPIX_ALL_SOURCES, &flag));
        for (const int source : nowhere)
            check_rank(MPIX_Parrived_extended(&request, 0, source, &flag));
        check_rank(MPIX_Parrived_extended(&request, 0, MPIX_ALL_DESTS, &flag));
        check_argument(MPIX_Parrived_any(request, -1, &end, &index, &flag));
        check_argument(MPIX_Parrived_some(request, 1, nullptr, &index, indices));
        check_argument(MPI_Parrived(request, 0, nullptr));
        check_argument(MPIX_Parrived_any(request, 1, &index, nullptr, &flag));
        check_argument(MPIX_Parrived_some(request, 1, &index, nullptr, indices));
        CHECK(flag == -7); // what is wrong writes nothing
        CHECK(index == -7);
        CHECK(indices[0] == -7);
    });
}

TEST_CASE("a partition is marked once in a round") {
    const ErrorsReturn guard;
    for (const Partitioned& row : partitioned_calls) {
        if (row.is_neighbor()) continue;
        PartedOperation operation({.row = &row, .granules = 2, .seed = 6});
        INFO(operation.text());
        for (int round = 0; round < 3; round++) {
            operation.start(round);
            Random random(static_cast<std::uint32_t>(round));
            std::vector<Part> parts = operation.sends();
            std::shuffle(parts.begin(), parts.end(), random);
            for (const Part& part : parts) {
                Marker(operation, 1).mark(part, Marking::one);
                const int dest = operation.shapes().send_is_one() ? MPIX_ALL_DESTS : part.segment;
                int list[] = {part.linear, part.linear};
                check_error(MPI_Pready(part.linear, operation.request), {MPI_ERR_ARG},
                            {"MPI_Pready", row.name, "marked already"});
                check_argument(MPI_Pready_range(part.linear, part.linear, operation.request));
                check_argument(MPI_Pready_list(2, list, operation.request));
                check_argument(MPIX_Pready_extended(part.index, dest, &operation.request));
            }
            CHECK_MPI(MPI_Wait(&operation.request, MPI_STATUS_IGNORE));
            operation.check();
        }
    }
}

TEST_CASE("the others of a call are marked where one was marked before") {
    const ErrorsReturn guard;
    for (const Partitioned& row : partitioned_calls) {
        if (row.is_neighbor()) continue;
        PartedOperation operation({.row = &row, .granules = 2, .choices = {6}});
        operation.start(1);
        if (!operation.sends().empty()) {
            for (const Part& part : operation.sends()) operation.write(part);
            const int end = static_cast<int>(operation.sends().size());
            CHECK_MPI(MPI_Pready(2, operation.request));
            int list[] = {0, 2, 1, 1};
            check_argument(MPI_Pready_list(4, list, operation.request));
            check_argument(MPI_Pready_range(2, end - 1, operation.request));
        }
        CHECK_MPI(MPI_Wait(&operation.request, MPI_STATUS_IGNORE));
        operation.check();
    }
}

TEST_CASE("nothing is marked before Start or after completion") {
    const ErrorsReturn guard;
    for (const Partitioned& row : partitioned_calls) {
        if (row.is_neighbor()) continue;
        PartedOperation operation({.row = &row});
        for (int round = 0; round < 3; round++) {
            int list[] = {0};
            check_request(MPI_Pready(0, operation.request));
            check_request(MPI_Pready_range(0, 0, operation.request));
            check_request(MPI_Pready_list(1, list, operation.request));
            check_request(MPIX_Pready_extended(0, MPIX_ALL_DESTS, &operation.request));
            operation.start(round);
            Marker(operation, 1).mark_all(Marking::one);
            CHECK_MPI(MPI_Wait(&operation.request, MPI_STATUS_IGNORE));
            operation.check();
        }
        if (!operation.sends().empty())
            check_error(MPI_Pready(0, operation.request), {MPI_ERR_REQUEST}, {"inactive"});
    }
}

TEST_CASE("a rank that only receives marks nothing, and one that only sends asks for nothing") {
    in_each_round([](PartedOperation& operation) {
        MPI_Request& request = operation.request;
        int flag = -7, list[] = {0};
        if (operation.sends().empty() && operation.about().row->has_root()) {
            check_error(MPI_Pready(0, request), {MPI_ERR_REQUEST}, {"nothing to mark"});
            check_request(MPI_Pready_range(0, 0, request));
            check_request(MPI_Pready_list(1, list, request));
            check_request(MPIX_Pready_extended(0, MPIX_ALL_DESTS, &request));
        }
        if (!operation.receives().empty()) return;
        check_error(MPI_Parrived(request, 0, &flag), {MPI_ERR_REQUEST}, {"receives no partitions"});
        check_request(MPIX_Parrived_extended(&request, 0, MPIX_ALL_SOURCES, &flag));
        check_request(MPIX_Parrived_any(request, 1, list, &flag, &flag));
        CHECK(flag == -7);
    });
}

TEST_CASE("requests of other kinds have no partitions") {
    const ErrorsReturn guard;
    int value = 0, received[2] = {}, sum = 0, flag = -7, list[] = {0};
    std::vector<MPI_Request> foreign(4, MPI_REQUEST_NULL);
    MPI_Recv_init(&received[0], 1, MPI_INT, 0, 3, MPI_COMM_SELF, &foreign[0]);
    MPI_Irecv(&received[1], 1, MPI_INT, 0, 3, MPI_COMM_SELF, &foreign[1]);
    MPI_Allreduce_init(&value, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_SELF, MPI_INFO_NULL,
                       &foreign[2]);
    MPI_Send_init(&value, 1, MPI_INT, 0, 3, MPI_COMM_SELF, &foreign[3]);
    foreign.push_back(MPI_REQUEST_NULL);
    PartedOperation ours({.row = &partitioned_calls[0]}); // there is one, to be looked through
    for (MPI_Request& request : foreign) {
        check_error(MPI_Pready(0, request), {MPI_ERR_REQUEST}, {"MPI_Pready", "not partitioned"});
        check_request(MPI_Pready_range(0, 0, request));
        check_request(MPI_Pready_list(1, list, request));
        check_request(MPIX_Pready_extended(0, 0, &request));
        check_request(MPIX_Pready_list_extended(1, list, 0, &request));
        if (request == MPI_REQUEST_NULL) continue;
        check_error(MPI_Parrived(request, 0, &flag), {MPI_ERR_REQUEST}, {"not partitioned"});
        check_request(MPIX_Parrived_extended(&request, 0, 0, &flag));
        check_request(MPIX_Parrived_some(request, 1, list, &flag, &flag));
        CHECK(flag == -7);
    }
    check_argument(MPIX_Pready_extended(0, 0, nullptr));
    check_argument(MPIX_Parrived_extended(nullptr, 0, 0, &flag));
    MPI_Start(&foreign[3]);
    MPI_Waitall(2, &foreign[1], MPI_STATUSES_IGNORE);
    MPI_Wait(&foreign[3], MPI_STATUS_IGNORE);
    for (MPI_Request& request : foreign)
        if (request != MPI_REQUEST_NULL) MPI_Request_free(&request);
}

TEST_CASE("an active request is not started, freed or cancelled") {
    in_each_round([](PartedOperation& operation) {
        MPI_Request& request = operation.request;
        const MPI_Request before = request;
        check_error(MPI_Start(&request), {MPI_ERR_REQUEST}, {"MPI_Start", "active"});
        check_error(MPI_Startall(1, &request), {MPI_ERR_REQUEST}, {"active"});
        check_error(MPI_Request_free(&request), {MPI_ERR_REQUEST}, {"MPI_Request_free", "active"});
        check_error(MPI_Cancel(&request), {MPI_ERR_REQUEST}, {"cancel"});
        CHECK(request == before);
    });
}

TEST_CASE("to have seen every arrival is not completion") {
    const ErrorsReturn guard;
    PartedOperation operation({.row = &partitioned_calls[6], .granules = 1}); // Pallgather
    for (int round = 0; round < 3; round++) {
        operation.start(round);
        Marker(operation, 1).mark_all(Marking::one);
        Asker(operation, 1).await_all(Asking::one);
        check_request(MPI_Start(&operation.request));
        check_request(MPI_Request_free(&operation.request));
        CHECK_MPI(MPI_Wait(&operation.request, MPI_STATUS_IGNORE));
        operation.check();
    }
}

namespace {

int handled = 0;
MPI_Comm handled_comm = MPI_COMM_NULL;

void remember(MPI_Comm* comm, int*, ...) {
    handled++;
    handled_comm = *comm;
}

} // namespace

TEST_CASE("the handler of the request's communicator is called, and once for each error") {
    MPI_Comm copy = MPI_COMM_NULL;
    MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
    CHECK_MPI(MPI_Comm_dup(MPI_COMM_WORLD, &copy));
    CHECK_MPI(MPI_Comm_create_errhandler(&remember, &handler));
    CHECK_MPI(MPI_Comm_set_errhandler(copy, handler));
    {
        PartedOperation operation({.row = &partitioned_calls[6], .comm = copy});
        MPI_Request& request = operation.request;
        int flag = 0, list[] = {0};
        operation.start(1);
        const int codes[] = {MPI_Pready(-1, request),
                             MPI_Pready_range(1, 0, request),
                             MPI_Pready_list(-1, list, request),
                             MPI_Pready_list(1, nullptr, request),
                             MPIX_Pready_extended(0, -5, &request),
                             MPIX_Pready_range_extended(1, 0, MPIX_ALL_DESTS, &request),
                             MPIX_Pready_list_extended(-1, list, MPIX_ALL_DESTS, &request),
                             MPI_Parrived(request, 0, nullptr),
                             MPI_Parrived(request, -1, &flag),
                             MPIX_Parrived_extended(&request, 0, 0, nullptr),
                             MPIX_Parrived_any(request, -1, list, &flag, &flag),
                             MPIX_Parrived_any(request, 1, list, nullptr, &flag),
                             MPIX_Parrived_some(request, 1, nullptr, &flag, list),
                             MPIX_Parrived_some(request, 1, list, &flag, nullptr),
                             MPI_Request_free(&request),
                             MPI_Cancel(&request)};
        for (const int code : codes) CHECK(code != MPI_SUCCESS);
        CHECK(handled == std::ssize(codes));
        CHECK(handled_comm == copy);
        Marker(operation, 1).mark_all(Marking::one);
        CHECK_MPI(MPI_Wait(&request, MPI_STATUS_IGNORE));
        operation.check();
    }
    CHECK_MPI(MPI_Errhandler_free(&handler));
    CHECK_MPI(MPI_Comm_free(&copy));
}
