// SPDX-License-Identifier: BSD-3-Clause
// Requests that cannot get other buffers, and buffers that cannot take the place of others: an
// error with its reason, and the request is as it was.
#include "channels/bundles.hpp"
#include "common/errors.hpp"
#include "common/plans.hpp"

using namespace mpitest;

namespace {

int other_from[64], other_into[64];
int errors = 0;

void count_error(MPI_Comm*, int*, ...) { errors++; }

void check_refused(MPI_Request request, std::initializer_list<const char*> words) {
    const int code = MPIX_Request_rebind(request, other_from, other_into);
    check_error(code, {MPI_ERR_REQUEST}, {"MPIX_Request_rebind"});
    check_error(code, {MPI_ERR_REQUEST}, words);
}

// All are waited for with the partitions marked that have to be.
void run(MPI_Request request, PartedOperation& parted) {
    parted.begin(1);
    CHECK_MPI(MPI_Start(&request));
    Marker(parted, 1).mark_all(Marking::one);
    CHECK_MPI(MPI_Wait(&request, MPI_STATUS_IGNORE));
    parted.check();
}

} // namespace

TEST_CASE("no request, and requests of the host") {
    const ErrorsReturn returned;
    const Ring ring;
    check_refused(MPI_REQUEST_NULL, {"MPI_REQUEST_NULL"});
    int sent = 4, received = 0;
    MPI_Request send = send_to(ring.next, 3, sent), recv = recv_from(ring.previous, 3, received);
    check_refused(send, {"no persistent collective"});
    check_refused(recv, {"no persistent collective"});
    MPI_Request both[2] = {recv, send};
    CHECK_MPI(MPI_Startall(2, both));
    check_refused(both[0], {"no persistent collective"});
    CHECK_MPI(MPI_Waitall(2, both, MPI_STATUSES_IGNORE));
    CHECK(received == 4);
    for (MPI_Request& request : both) free_request(request);
    MPI_Request once = MPI_REQUEST_NULL;
    CHECK_MPI(MPI_Irecv(&received, 1, MPI_INT, ring.previous, 4, MPI_COMM_WORLD, &once));
    check_refused(once, {"no persistent collective"});
    CHECK_MPI(MPI_Send(&sent, 1, MPI_INT, ring.next, 4, MPI_COMM_WORLD));
    CHECK_MPI(MPI_Wait(&once, MPI_STATUS_IGNORE));
}

TEST_CASE("active requests of every kind") {
    const ErrorsReturn returned;
    Sum sum(MPI_COMM_WORLD);
    sum.start(1);
    check_refused(sum.request, {"MPI_Allreduce_init", "active"});
    sum.wait();
    sum.run(2);

    PartedOperation parted({.row = &row_of("Pallreduce"), .granules = 2, .choices = {4}});
    parted.start(1);
    check_refused(parted.request, {"MPIX_Pallreduce_init", "active"});
    Marker(parted, 1).mark_all(Marking::one);
    CHECK_MPI(MPI_Wait(&parted.request, MPI_STATUS_IGNORE));
    parted.check();

    OnePair pair;
    pair.start(1);
    check_refused(pair.send.request, {"MPI_Psend_init", "active"});
    check_refused(pair.recv.request, {"MPI_Precv_init", "active"});
    pair.send.mark_all(1);
    pair.finish();
}

TEST_CASE("channels that are active, or not yet") {
    const ErrorsReturn returned;
    const Ring ring;
    int sent = 5, received = 0;
    MPI_Request in[2] = {send_to(ring.next, 3, sent), recv_from(ring.previous, 3, received)};
    MPI_Request out[2] = {};
    CHECK_MPI(MPIX_Ibind_channels(in, out, 2, nullptr));
    check_refused(in[0], {"being bound"});
    CHECK_MPI(MPI_Waitall(2, in, MPI_STATUSES_IGNORE));
    CHECK_MPI(MPI_Start(&out[1]));
    check_refused(out[1], {"MPIX_Ibind_channels", "active"});
    MPI_Barrier(MPI_COMM_WORLD); // the receivers are ready
    CHECK_MPI(MPI_Start(&out[0]));
    CHECK_MPI(MPI_Waitall(2, out, MPI_STATUSES_IGNORE));
    CHECK(received == 5);
    check_error(MPIX_Request_rebind(out[0], MPI_IN_PLACE, nullptr), {MPI_ERR_BUFFER}, {"sendbuf"});
    check_error(MPIX_Request_rebind(out[1], nullptr, MPI_IN_PLACE), {MPI_ERR_BUFFER}, {"recvbuf"});
    received = 0;
    CHECK_MPI(MPI_Start(&out[1]));
    MPI_Barrier(MPI_COMM_WORLD); // the receivers are ready
    CHECK_MPI(MPI_Start(&out[0]));
    CHECK_MPI(MPI_Waitall(2, out, MPI_STATUSES_IGNORE));
    CHECK(received == 5);
    CHECK_MPI(MPIX_Unbind_channels(out, 2));
    for (MPI_Request& request : in) free_request(request);
}

TEST_CASE("bundles, generalized requests and requests for one partition have no buffers") {
    const ErrorsReturn returned;
    OnePair pair;
    Task task{2};
    Sum sum(MPI_COMM_WORLD);
    {
        PartRequests parts(pair.recv.request, 1);
        check_refused(parts.requests[0], {"one partition"});
    }
    check_refused(task.request, {"generalized"});
    Bundle bundle({task.request, sum.request});
    check_refused(bundle.request, {"bundle"});
    bundle.run();
}

TEST_CASE("members of an active bundle") {
    const ErrorsReturn returned;
    PartedOperation parted({.row = &row_of("Pallreduce"), .granules = 2, .choices = {4}});
    Sum sum(MPI_COMM_WORLD);
    Bundle bundle({parted.request, sum.request});
    bundle.after(1, 0);
    parted.begin(1);
    bundle.start();
    check_refused(parted.request, {"MPIX_Pallreduce_init", "active"});
    check_refused(sum.request, {"MPI_Allreduce_init", "active"});
    Marker(parted, 1).mark_all(Marking::one);
    bundle.wait();
    parted.check();
    run(parted.request, parted);
}

TEST_CASE("MPI_IN_PLACE stays where it stood") {
    const ErrorsReturn returned;
    int from = 1, into = 1, other = 1;
    MPI_Request apart = MPI_REQUEST_NULL, in_place = MPI_REQUEST_NULL, bcast = MPI_REQUEST_NULL;
    CHECK_MPI(MPI_Allreduce_init(&from, &into, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL,
                                 &apart));
    CHECK_MPI(MPI_Allreduce_init(MPI_IN_PLACE, &into, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD,
                                 MPI_INFO_NULL, &in_place));
    CHECK_MPI(MPI_Bcast_init(&into, 1, MPI_INT, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &bcast));
    check_error(MPIX_Request_rebind(apart, MPI_IN_PLACE, &other), {MPI_ERR_BUFFER},
                {"MPIX_Request_rebind", "sendbuf", "MPI_IN_PLACE"});
    check_error(MPIX_Request_rebind(apart, &other, MPI_IN_PLACE), {MPI_ERR_BUFFER}, {"recvbuf"});
    check_error(MPIX_Request_rebind(in_place, &from, &other), {MPI_ERR_BUFFER},
                {"sendbuf", "in place"});
    check_error(MPIX_Request_rebind(bcast, &other, MPI_IN_PLACE), {MPI_ERR_BUFFER}, {"recvbuf"});
    start_and_wait(apart);
    CHECK(into == size_of());
    start_and_wait(in_place);
    CHECK(into == size_of() * size_of());
    start_and_wait(bcast);
    CHECK(other == 1);
    CHECK_MPI(MPIX_Request_rebind(in_place, MPI_IN_PLACE, &other));
    start_and_wait(in_place);
    CHECK(other == size_of());
    for (MPI_Request* request : {&apart, &in_place, &bcast}) free_request(*request);
}

TEST_CASE("an operation without buffers ignores all") {
    MPI_Request barrier = MPI_REQUEST_NULL;
    CHECK_MPI(MPI_Barrier_init(MPI_COMM_WORLD, MPI_INFO_NULL, &barrier));
    CHECK_MPI(MPIX_Request_rebind(barrier, MPI_IN_PLACE, nullptr));
    CHECK_MPI(MPIX_Request_rebind(barrier, other_from, other_into));
    start_and_wait(barrier);
    free_request(barrier);
}

TEST_CASE("the error goes to the communicator of the request") {
    const ErrorsReturn returned;
    MPI_Comm copy = duplicate();
    errors = 0;
    MPI_Errhandler counts = MPI_ERRHANDLER_NULL;
    CHECK_MPI(MPI_Comm_create_errhandler(count_error, &counts));
    CHECK_MPI(MPI_Comm_set_errhandler(copy, counts));
    {
        Sum sum(copy);
        sum.start(1);
        check_refused(sum.request, {"active"});
        CHECK(errors == 1);
        sum.wait();
    }
    CHECK_MPI(MPI_Errhandler_free(&counts));
    free_comm(copy);
}
