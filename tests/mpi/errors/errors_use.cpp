// SPDX-License-Identifier: BSD-3-Clause
// Wrong use of a good request, and who is told: the error handler of the communicator.
#include "common/errors.hpp"

using namespace mpitest;

namespace {

struct Sum {
    int in = 1, out = 0;
    MPI_Request request = MPI_REQUEST_NULL;

    explicit Sum(MPI_Comm comm = MPI_COMM_WORLD) {
        CHECK_MPI(
            MPI_Allreduce_init(&in, &out, 1, MPI_INT, MPI_SUM, comm, MPI_INFO_NULL, &request));
    }
    void wait_and_check() {
        CHECK_MPI(MPI_Wait(&request, MPI_STATUS_IGNORE));
        CHECK(out == size_of());
        out = 0;
    }
};

int handled = 0, handled_class = 0;
MPI_Comm handled_comm = MPI_COMM_NULL;

void remember(MPI_Comm* comm, int* code, ...) {
    handled++;
    handled_comm = *comm;
    handled_class = class_of(*code);
}

} // namespace

TEST_CASE("Start on an active request is an error of the request") {
    const ErrorsReturn guard;
    Sum sum;
    for (int round = 0; round < 3; round++) {
        CHECK_MPI(MPI_Start(&sum.request));
        const MPI_Request before = sum.request;
        check_error(MPI_Start(&sum.request), {MPI_ERR_REQUEST}, {"request", "active"});
        check_error(MPI_Startall(1, &sum.request), {MPI_ERR_REQUEST}, {"request", "active"});
        CHECK(sum.request == before);
        sum.wait_and_check();
    }
    free_request(sum.request);
}

TEST_CASE("Request_free of an active collective is an error of the request") {
    const ErrorsReturn guard;
    Sum sum;
    for (int round = 0; round < 3; round++) {
        CHECK_MPI(MPI_Start(&sum.request));
        check_error(MPI_Request_free(&sum.request), {MPI_ERR_REQUEST}, {"request", "active"});
        CHECK(sum.request != MPI_REQUEST_NULL);
        sum.wait_and_check();
    }
    free_request(sum.request);
}

TEST_CASE("Cancel of a persistent collective is an error of the request") {
    const ErrorsReturn guard;
    Sum sum;
    check_error(MPI_Cancel(&sum.request), {MPI_ERR_REQUEST}, {"cancel"});
    CHECK_MPI(MPI_Start(&sum.request));
    check_error(MPI_Cancel(&sum.request), {MPI_ERR_REQUEST}, {"cancel"});
    sum.wait_and_check();
    free_request(sum.request);
}

TEST_CASE("Start on the null request is an error of the request") {
    const ErrorsReturn guard;
    MPI_Request none = MPI_REQUEST_NULL;
    const int code = MPI_Start(&none);
    CHECK(class_of(code) == MPI_ERR_REQUEST);
    CHECK(none == MPI_REQUEST_NULL);
}

TEST_CASE("Start on a freed request is an error of the request") {
    const ErrorsReturn guard;
    Sum other;
    Sum sum;
    free_request(sum.request);
    CHECK(class_of(MPI_Start(&sum.request)) == MPI_ERR_REQUEST);
    CHECK(class_of(MPI_Startall(1, &sum.request)) == MPI_ERR_REQUEST);
    CHECK(sum.request == MPI_REQUEST_NULL);
    CHECK_MPI(MPI_Start(&other.request));
    other.wait_and_check();
    free_request(other.request);
}

TEST_CASE("a handle that the library did not make is left to the host") {
    const ErrorsReturn guard;
    Sum sum;
    CHECK_MPI(MPI_Start(&sum.request));
#ifdef OPEN_MPI
    // An address: the host looks at what is there. The copy of a null request is complete.
    alignas(64) static std::byte block[256];
    std::memcpy(block, MPI_REQUEST_NULL, sizeof block);
    MPI_Request foreign = reinterpret_cast<MPI_Request>(block);
    CHECK_MPI(MPI_Wait(&foreign, MPI_STATUS_IGNORE));
#elif defined(MPI_H_ABI) // which says nothing of what a handle is
    MPI_Request foreign = MPI_REQUEST_NULL;
    CHECK_MPI(MPI_Irecv(nullptr, 0, MPI_BYTE, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &foreign));
    CHECK_MPI(MPI_Wait(&foreign, MPI_STATUS_IGNORE));
#else
    MPI_Request foreign = 0x2c0ffee;
    CHECK(class_of(MPI_Wait(&foreign, MPI_STATUS_IGNORE)) == MPI_ERR_REQUEST);
    int done = 0;
    CHECK(class_of(MPI_Test(&foreign, &done, MPI_STATUS_IGNORE)) == MPI_ERR_REQUEST);
#endif
    sum.wait_and_check();
    free_request(sum.request);
}

TEST_CASE("a communicator's own error handler is called, with its communicator and the class") {
    MPI_Comm copy = MPI_COMM_NULL;
    CHECK_MPI(MPI_Comm_dup(MPI_COMM_WORLD, &copy));
    MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
    CHECK_MPI(MPI_Comm_create_errhandler(&remember, &handler));
    CHECK_MPI(MPI_Comm_set_errhandler(copy, handler));
    handled = 0;
    int value = 0;
    MPI_Request request = MPI_REQUEST_NULL;
    const int code = MPI_Bcast_init(&value, -2, MPI_INT, 0, copy, MPI_INFO_NULL, &request);
    CHECK(class_of(code) == MPI_ERR_COUNT);
    CHECK(handled == 1);
    CHECK(handled_class == MPI_ERR_COUNT);
    CHECK(handled_comm == copy);
    CHECK(request == MPI_REQUEST_NULL);

    Sum sum(copy);
    CHECK_MPI(MPI_Start(&sum.request));
    CHECK(class_of(MPI_Start(&sum.request)) == MPI_ERR_REQUEST);
    CHECK(handled == 2);
    CHECK(handled_class == MPI_ERR_REQUEST);
    sum.wait_and_check();
    free_request(sum.request);
    CHECK_MPI(MPI_Errhandler_free(&handler));
    CHECK_MPI(MPI_Comm_free(&copy));
}

TEST_CASE("errors return on a communicator that says so, whatever the world says") {
    MPI_Comm copy = MPI_COMM_NULL;
    CHECK_MPI(MPI_Comm_dup(MPI_COMM_WORLD, &copy));
    CHECK_MPI(MPI_Comm_set_errhandler(copy, MPI_ERRORS_RETURN));
    int in = 1, out = 0;
    MPI_Request request = MPI_REQUEST_NULL;
    const int code =
        MPI_Reduce_init(&in, &out, 1, MPI_INT, MPI_SUM, -5, copy, MPI_INFO_NULL, &request);
    check_error(code, {MPI_ERR_ROOT}, {"root", "-5"});
    CHECK(request == MPI_REQUEST_NULL);
    CHECK_MPI(MPI_Comm_free(&copy));
}

TEST_CASE("many errors leave nothing behind that hinders what follows") {
    const ErrorsReturn guard;
    int value = 0;
    for (int i = 0; i < 2000; i++) {
        MPI_Request request = MPI_REQUEST_NULL;
        MPI_Bcast_init(&value, -1 - i, MPI_INT, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
    }
    Sum sum;
    for (int round = 0; round < 3; round++) {
        CHECK_MPI(MPI_Start(&sum.request));
        sum.wait_and_check();
    }
    free_request(sum.request);
}

TEST_CASE("ranks that disagree about the root are told so") {
    if (size_of() == 1) return;
    const ErrorsReturn guard;
    int value = 0;
    MPI_Request request = MPI_REQUEST_NULL;
    const int root = rank_of() == 0 ? 0 : 1;
    const int code =
        MPI_Bcast_init(&value, 1, MPI_INT, root, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
    CHECK(code != MPI_SUCCESS);
    CHECK(contains(error_text(code), "root"));
    CHECK(request == MPI_REQUEST_NULL);
    if (request != MPI_REQUEST_NULL) MPI_Request_free(&request);
    Sum sum;
    CHECK_MPI(MPI_Start(&sum.request));
    sum.wait_and_check();
    free_request(sum.request);
}
