// SPDX-License-Identifier: BSD-3-Clause
// With MPIX_CHECK=1 a receive through a ready channel tells that its sender had started before. The
// data come all the same, and the program goes on.
#include "channels/channels.hpp"
#include "common/errors.hpp"

using namespace mpitest;

namespace {

// What was done before is done on all ranks; and messages of the previous rank are here.
void pass_token(const Neighbours& near) {
    int mine = 1, theirs = 0;
    CHECK_MPI(MPI_Sendrecv(&mine, 1, MPI_INT, near.next, 99, &theirs, 1, MPI_INT, near.previous, 99,
                           MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    MPI_Barrier(MPI_COMM_WORLD);
}

void wait_for_late(ChannelEnd& end) {
    const int code = MPI_Wait(&end.out, MPI_STATUS_IGNORE);
    CHECK(class_of(code) == MPI_ERR_OTHER);
    CHECK(contains(error_text(code), "started before its receiver"));
    end.check_data();
}

} // namespace

TEST_CASE("a sender that is early is told of at its receiver, one that is not is not") {
    const ErrorsReturn returned;
    const Neighbours near;
    for (const Mode mode : {Mode::send, Mode::rsend, Mode::bsend})
        for (const int ints : {1, 500, 50'000}) {
            INFO(ints << " ints");
            const Ends ends = ring(mode, {ints}, {ints});
            bind_all(ends);
            for (int round = 0; round < 3; round++) {
                const bool is_early = round != 1;
                if (is_early) ends[0]->start();
                if (!is_early) ends[1]->start();
                pass_token(near);
                if (is_early) ends[1]->start();
                if (!is_early) ends[0]->start();
                if (is_early)
                    wait_for_late(*ends[1]);
                else
                    ends[1]->wait();
                ends[0]->wait();
                pass_token(near);
            }
            for (const auto& end : ends) end->check_all();
        }
}

TEST_CASE("a synchronous sender may be early") {
    const Neighbours near;
    const Ends ends = ring(Mode::ssend, {3}, {3});
    bind_all(ends);
    for (int round = 0; round < 3; round++) {
        ends[0]->start();
        pass_token(near);
        ends[1]->start();
        for (const auto& end : ends) end->wait();
    }
}

TEST_CASE("of several at once the one that is early is found") {
    const ErrorsReturn returned;
    const Neighbours near;
    const Ends ends = ring(Mode::send, {2}, {2}, {4, 2}, {4, 2});
    bind_all(ends);
    for (int lap = 0; lap < 3; lap++) {
        for (int i = 0; i < 3; i++) ends[1]->start();
        pass_token(near);
        for (int i = 0; i < 4; i++) ends[0]->start();
        pass_token(near);
        ends[1]->start();
        int errors = 0;
        for (int i = 0; i < 4; i++) {
            errors += MPI_Wait(&ends[1]->out, MPI_STATUS_IGNORE) != MPI_SUCCESS;
            ends[1]->check_data();
        }
        CHECK(errors == 1);
        for (int i = 0; i < 4; i++) ends[0]->wait();
        pass_token(near);
    }
}

TEST_CASE("a receive that is started before the ends have met is not late") {
    const ErrorsReturn returned;
    const Neighbours near;
    for (int channel = 0; channel < 50; channel++) {
        int sent = channel, received = -1;
        MPI_Request in = MPI_REQUEST_NULL, out = MPI_REQUEST_NULL;
        CHECK_MPI(MPIX_Recv_channel_init(&received, 1, MPI_INT, near.previous, 5, MPI_COMM_WORLD,
                                         MPI_INFO_NULL, &in));
        CHECK_MPI(MPI_Start(&in));
        MPI_Barrier(MPI_COMM_WORLD);
        CHECK_MPI(MPIX_Send_channel_init(&sent, 1, MPI_INT, near.next, 5, MPI_COMM_WORLD,
                                         MPI_INFO_NULL, &out));
        CHECK_MPI(MPI_Start(&out));
        CHECK_MPI(MPI_Wait(&out, MPI_STATUS_IGNORE));
        CHECK(MPI_Wait(&in, MPI_STATUS_IGNORE) == MPI_SUCCESS);
        CHECK(received == channel);
        CHECK_MPI(MPIX_Unbind_channel(&in));
        CHECK_MPI(MPIX_Unbind_channel(&out));
    }
}
