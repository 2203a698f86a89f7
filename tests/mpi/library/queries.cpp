// SPDX-License-Identifier: BSD-3-Clause
// Who only asks about a request moves nothing: not even rounds of a channel that the engine has
// not begun, because nobody waits for them yet.
#include "intercept/handles.hpp"
#include "progress/engine.hpp"

#include "channels/channels.hpp"
#include "common/errors.hpp"

using namespace mpitest;

namespace {

const mpix::progress::Operation& operation_of(MPI_Request request) {
    return *mpix::intercept::handles().find(request);
}

// What a query must leave as it is.
struct Engine {
    unsigned turns = mpix::progress::engine().turns();
    bool has_pending = mpix::progress::engine().has_pending();
    friend bool operator==(const Engine&, const Engine&) = default;
};

} // namespace

TEST_CASE("a query leaves a started channel and the engine alone") {
    const Ring ring;
    ChannelEnd send(Mode::send, {1, MPI_INT}, {ring.next, 5});
    ChannelEnd receive(Mode::recv, {1, MPI_INT}, {ring.previous, 5});
    std::array<MPI_Request, 2> ends{};
    const std::array in{send.in, receive.in};
    CHECK_MPI(MPIX_Bind_channels(in.data(), ends.data(), 2, nullptr));
    send.out = ends[0];
    receive.out = ends[1];
    for (int round = 0; round < 3; ++round) {
        receive.start();
        const bool was_idle = operation_of(receive.out).is_idle();
        const Engine before;
        MPIX_Plan_name(receive.out);
        {
            const ErrorsReturn guard;
            CHECK(MPI_Cancel(&receive.out) != MPI_SUCCESS);
            CHECK(MPI_Request_free(&receive.out) != MPI_SUCCESS);
        }
        CHECK(MPIX_Describe() != nullptr);
        CHECK(before == Engine());
        CHECK(operation_of(receive.out).is_idle() == was_idle);
        send.start();
        receive.wait();
        send.wait();
    }
}

TEST_CASE("a query tells the name of a plan and leaves it alone") {
    Ours ours;
    ours.run(1);
    const Engine before;
    CHECK(MPIX_Plan_name(ours.request) != nullptr);
    CHECK(MPIX_Plan_name(MPI_REQUEST_NULL) == nullptr);
    CHECK(before == Engine());
    ours.run(2);
}
