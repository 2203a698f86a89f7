// SPDX-License-Identifier: BSD-3-Clause
// Channels whose ends get other buffers, each when it likes, also in the middle of a ring and
// before the other end is known.
#include "channels/channels.hpp"
#include "channels/rebinding.hpp"

using namespace mpitest;

namespace {

// Where the request has its buffer: with a negative increment not at the beginning.
void rebind(ChannelEnd& end, const Block& block, Left& left) {
    const Slack& slack = end.slack();
    const auto step = static_cast<long>(extent_of(block.type).step);
    const long first = slack.increment < 0 ? -slack.increment * (slack.slots - 1L) * step : 0;
    left.add(replace(end.buffer));
    char* const base = end.buffer.as<char>() + first;
    CHECK_MPI(end.is_sender ? MPIX_Request_rebind(end.out, base, nullptr)
                            : MPIX_Request_rebind(end.out, nullptr, base));
}

struct Case {
    Mode mode;
    Block send, recv;
    Slack send_slack{}, recv_slack{};
    int laps = 6;
};

// Some starts at each end, then as many waits.
void run(const Case& of) {
    const Ends ends = ring(of.mode, of.send, of.recv, of.send_slack, of.recv_slack);
    bind_all(ends);
    Left left;
    Whim whim(static_cast<std::uint32_t>(of.send.count));
    const Block* const blocks[] = {&of.send, &of.recv};
    for (int lap = 0; lap < of.laps; lap++) {
        const int ahead = 1 + lap % of.send_slack.slots;
        for (const std::size_t end : {1u, 0u})
            for (int i = 0; i < ahead; i++) ends[end]->start();
        for (const std::size_t end : {1u, 0u})
            for (int i = 0; i < ahead; i++) ends[end]->wait();
        for (std::size_t end = 0; end < 2; end++) {
            ends[end]->check_all();
            if (whim.rebinds()) rebind(*ends[end], *blocks[end], left);
        }
    }
    left.check();
    MPI_Barrier(MPI_COMM_WORLD);
}

} // namespace

TEST_CASE("channels of every kind of send") {
    for (const Mode mode : {Mode::send, Mode::bsend, Mode::ssend})
        for (const int ints : {0, 1, 100, 5000}) run({mode, {ints}, {ints}, {1, 0}, {1, 0}});
}

TEST_CASE("channels of long messages") {
    for (const Mode mode : {Mode::send, Mode::ssend})
        for (const int ints : {20'000, 262'144}) run({mode, {ints}, {ints}, {1, 0}, {1, 0}, 4});
}

TEST_CASE("rings of slots go on where they were") {
    for (const Mode mode : {Mode::send, Mode::ssend})
        for (const int ints : {1, 10, 3000, 50'000})
            for (const int slots : {2, 5}) {
                run({mode, {ints}, {ints}, {slots, ints}, {slots, ints}});
                run({mode, {ints}, {ints}, {slots, -ints}, {slots, ints + 3}});
            }
}

TEST_CASE("datatypes with gaps") {
    const Type pairs = vector_of(2, 1, 3);
    for (const int slots : {1, 4}) {
        run({Mode::send, {3, pairs}, {6, MPI_INT}, {slots, 3}, {slots, 8}});
        run({Mode::ssend, {6, MPI_INT}, {3, pairs}, {slots, -6}, {slots, -3}});
        run({Mode::send, {3000, pairs}, {3000, pairs}, {slots, 3000}, {slots, 3000}});
    }
}

TEST_CASE("ends whose other end is not known yet") {
    const Neighbours near;
    for (const int ints : {1, 700, 100'000}) {
        const auto size = static_cast<std::size_t>(ints);
        std::vector<int> from[2], into[2];
        for (int i = 0; i < 2; i++) from[i].assign(size, -1), into[i].assign(size, -2);
        MPI_Request send = MPI_REQUEST_NULL, recv = MPI_REQUEST_NULL;
        CHECK_MPI(MPIX_Recv_channel_init(into[0].data(), ints, MPI_INT, near.previous, 9,
                                         MPI_COMM_WORLD, MPI_INFO_NULL, &recv));
        CHECK_MPI(MPIX_Request_rebind(recv, nullptr, into[1].data()));
        MPI_Barrier(MPI_COMM_WORLD);
        CHECK_MPI(MPIX_Send_channel_init(from[0].data(), ints, MPI_INT, near.next, 9,
                                         MPI_COMM_WORLD, MPI_INFO_NULL, &send));
        CHECK_MPI(MPIX_Request_rebind(send, from[1].data(), nullptr));
        for (int round = 1; round < 4; round++) {
            auto &now = from[round % 2], &there = into[round % 2], &idle = into[1 - round % 2];
            const std::vector<int> before = idle;
            for (std::size_t i = 0; i < size; i++) now[i] = value_at(near.me, round, i);
            CHECK_MPI(MPI_Start(&recv));
            CHECK_MPI(MPI_Start(&send));
            CHECK_MPI(MPI_Wait(&send, MPI_STATUS_IGNORE));
            CHECK_MPI(MPI_Wait(&recv, MPI_STATUS_IGNORE));
            CHECK(there[size - 1] == value_at(near.previous, round, size - 1));
            CHECK(difference(before, idle) == "");
            CHECK_MPI(MPIX_Request_rebind(send, from[1 - round % 2].data(), nullptr));
            CHECK_MPI(MPIX_Request_rebind(recv, nullptr, into[1 - round % 2].data()));
        }
        MPI_Barrier(MPI_COMM_WORLD);
        CHECK_MPI(MPIX_Unbind_channel(&send));
        CHECK_MPI(MPIX_Unbind_channel(&recv));
    }
}

TEST_CASE("memory of MPI_Alloc_mem and other memory by turns") {
    const Neighbours near;
    constexpr int ints = 1 << 18;
    int* shared[2] = {};
    for (int*& memory : shared)
        CHECK_MPI(MPI_Alloc_mem(ints * sizeof(int), MPI_INFO_NULL, &memory));
    std::vector<int> heap(ints), into(ints);
    int* const from[] = {shared[0], heap.data(), shared[1]};
    for (const bool is_sync : {false, true}) {
        MPI_Request in[2] = {
            init_of(is_sync ? Mode::ssend : Mode::send, from[0], {ints}, {near.next, 4}),
            init_of(Mode::recv, into.data(), {ints}, {near.previous, 4})};
        MPI_Request out[2] = {};
        CHECK_MPI(MPIX_Bind_channels(in, out, 2, nullptr));
        for (int round = 0; round < 6; round++) {
            int* const now = from[round % 3];
            for (std::size_t i = 0; i < ints; i++) now[i] = value_at(near.me, round, i);
            CHECK_MPI(MPI_Startall(2, out));
            CHECK_MPI(MPI_Waitall(2, out, MPI_STATUSES_IGNORE));
            int wrong = 0;
            for (std::size_t i = 0; i < ints; i++)
                wrong += into[i] != value_at(near.previous, round, i);
            CHECK(wrong == 0);
            CHECK_MPI(MPIX_Request_rebind(out[0], from[(round + 1) % 3], nullptr));
        }
        CHECK_MPI(MPIX_Unbind_channels(out, 2));
        for (MPI_Request& request : in) free_request(request);
    }
    for (int*& memory : shared) CHECK_MPI(MPI_Free_mem(memory));
}
