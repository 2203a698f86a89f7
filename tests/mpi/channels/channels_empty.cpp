// SPDX-License-Identifier: BSD-3-Clause
// What has no data is received when its sender has started, and not before: on channels, with and
// without slack, and by persistent requests.
#include "channels/channels.hpp"
#include "completion/point_to_point.hpp"

using namespace mpitest;

namespace {

constexpr Mode send_modes[] = {Mode::send, Mode::bsend, Mode::ssend, Mode::rsend};

// How often it is done, while all ranks look.
template<class IsDone>
int done(IsDone is_done) {
    int found = 0;
    for (int look = 0; look < 2; look++) {
        for (int turn = 0; turn < 15; turn++) {
            found += is_done();
            pause_briefly();
        }
        CHECK_MPI(MPI_Barrier(MPI_COMM_WORLD));
    }
    return found;
}

int done(ChannelEnd& end) {
    return done([&] { return end.test(); });
}

int done(MPI_Request& request) {
    return done([&] {
        int flag = -1;
        CHECK_MPI(MPI_Test(&request, &flag, MPI_STATUS_IGNORE));
        return flag != 0;
    });
}

Type nothing_of(MPI_Datatype type) {
    MPI_Datatype made = MPI_DATATYPE_NULL;
    MPI_Type_contiguous(0, type, &made);
    return Type(made);
}

// The sender gives one transfer, and the others later.
void hold_back(Mode mode, const Block& send, const Block& recv, int slots) {
    INFO("mode " << static_cast<int>(mode) << ", " << slots << " slots");
    const Ends ends = ring(mode, send, recv, {slots, slots - 1}, {slots, slots - 1});
    bind_all(ends);
    ChannelEnd &sender = *ends[0], &receiver = *ends[1];
    for (int lap = 0; lap < 3; lap++) {
        INFO("lap " << lap);
        for (int i = 0; i < slots; i++) receiver.start();
        CHECK(done(receiver) == 0);
        sender.start();
        receiver.wait();
        if (slots > 1) CHECK(done(receiver) == 0);
        for (int i = 1; i < slots; i++) sender.start();
        for (int i = 1; i < slots; i++) receiver.wait();
        for (int i = 0; i < slots; i++) sender.wait();
        CHECK_MPI(MPI_Barrier(MPI_COMM_WORLD));
    }
}

} // namespace

TEST_CASE("an empty receive on a channel waits for its sender") {
    const Type none = nothing_of(MPI_INT), far = resized(none, 0, 16);
    for (const Mode mode : send_modes)
        for (const int slots : {1, 3}) {
            hold_back(mode, {0}, {0}, slots);
            hold_back(mode, {2, none}, {0}, slots);
            hold_back(mode, {0}, {3, far}, slots);
        }
}

TEST_CASE("a receive on a channel waits for a sender that has nothing") {
    const Neighbours near;
    int data[4] = {1, 2, 3, 4};
    MPI_Request in[2] = {}, out[2] = {};
    in[0] = init_of(Mode::send, nullptr, {0}, {near.next, 2});
    in[1] = init_of(Mode::recv, data, {4}, {near.previous, 2});
    CHECK_MPI(MPIX_Bind_channels(in, out, 2, nullptr));
    for (int round = 0; round < 3; round++) {
        CHECK_MPI(MPI_Start(&out[1]));
        CHECK(done(out[1]) == 0);
        CHECK_MPI(MPI_Start(&out[0]));
        MPI_Status status = spoiled_status();
        int ints = -1;
        CHECK_MPI(MPI_Wait(&out[1], &status));
        CHECK_MPI(MPI_Get_count(&status, MPI_INT, &ints));
        CHECK(ints == 0);
        CHECK_MPI(MPI_Wait(&out[0], MPI_STATUS_IGNORE));
        CHECK_MPI(MPI_Barrier(MPI_COMM_WORLD));
    }
    CHECK((data[0] == 1 && data[3] == 4));
    CHECK_MPI(MPIX_Unbind_channels(out, 2));
    for (MPI_Request& request : in) CHECK_MPI(MPI_Request_free(&request));
}

TEST_CASE("an empty synchronous send on a channel waits for its receiver") {
    for (const int slots : {1, 3}) {
        const Ends ends = ring(Mode::ssend, {0}, {0}, {slots, 0}, {slots, 0});
        bind_all(ends);
        for (int lap = 0; lap < 3; lap++) {
            for (int i = 0; i < slots; i++) ends[0]->start();
            CHECK(done(*ends[0]) == 0);
            for (int i = 0; i < slots; i++) ends[1]->start();
            for (int i = 0; i < slots; i++) ends[1]->wait();
            for (int i = 0; i < slots; i++) ends[0]->wait();
            CHECK_MPI(MPI_Barrier(MPI_COMM_WORLD));
        }
    }
}

TEST_CASE("an empty persistent receive waits for its sender") {
    with_and_without_plan([] {
        const Neighbours near;
        const Type none = nothing_of(MPI_INT);
        for (const Block& block : {Block{0}, Block{3, none}}) {
            MPI_Request send = init_of(Mode::send, nullptr, block, {near.next, 6});
            MPI_Request recv = init_of(Mode::recv, nullptr, block, {near.previous, 6});
            for (int round = 0; round < 2; round++) {
                CHECK_MPI(MPI_Start(&recv));
                CHECK(done(recv) == 0);
                CHECK_MPI(MPI_Start(&send));
                CHECK_MPI(MPI_Wait(&recv, MPI_STATUS_IGNORE));
                CHECK_MPI(MPI_Wait(&send, MPI_STATUS_IGNORE));
            }
            free_request(send);
            free_request(recv);
        }
    });
}
