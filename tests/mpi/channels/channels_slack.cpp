// SPDX-License-Identifier: BSD-3-Clause
// Several transfers at once: a ring of slots at each end, flow control, and blocks of different
// sizes.
#include "channels/channels.hpp"
#include "common/chance.hpp"

using namespace mpitest;

namespace {

// Random starts and waits at both ends, each as far ahead as it may.
void run_freely(const Ends& ends, int rounds, std::uint32_t seed) {
    Random random(seed + static_cast<std::uint32_t>(rank_of()));
    const auto are_done = [&] {
        return std::all_of(ends.begin(), ends.end(),
                           [&](const auto& end) { return end->done() == rounds; });
    };
    while (!are_done()) {
        for (const auto& end : ends) {
            const int most = draw(random, 0, end->slack().slots);
            for (int i = 0; i < most && end->started() < rounds; i++)
                if (end->under_way() < end->slack().slots) end->start();
            for (int i = draw(random, 0, most); i > 0 && end->under_way() > 0; i--)
                if (!end->test()) break;
        }
        pause_briefly();
    }
    for (const auto& end : ends) end->check_all();
}

} // namespace

TEST_CASE("as many starts as there are slots, then as many waits") {
    for (const int slots : {1, 2, 3, 8, 64, 300})
        for (const int ints : {1, 3, 100, 5000}) {
            if (slots * ints > 50'000) continue;
            const Ends ends = ring(Mode::send, {ints}, {ints}, {slots, ints}, {slots, ints});
            bind_all(ends);
            for (int lap = 0; lap < 3; lap++) {
                for (int i = 0; i < slots; i++) ends[1]->start();
                for (int i = 0; i < slots; i++) ends[0]->start();
                for (int i = 0; i < slots; i++) ends[1]->wait();
                for (int i = 0; i < slots; i++) ends[0]->wait();
                MPI_Barrier(MPI_COMM_WORLD);
            }
            for (const auto& end : ends) end->check_all();
        }
}

TEST_CASE("increments that are wide, negative, or different at the two ends") {
    const Slack slacks[] = {{4, 10}, {4, -10}, {4, 13}, {4, -21}};
    for (const Slack& send : slacks)
        for (const Slack& recv : slacks) {
            const Ends ends = ring(Mode::send, {10}, {10}, send, recv);
            bind_all(ends);
            run_freely(ends, 50, 1);
            MPI_Barrier(MPI_COMM_WORLD);
        }
}

TEST_CASE("long messages in a ring") {
    for (const Mode mode : {Mode::send, Mode::ssend})
        for (const int ints : {20'000, 100'000}) {
            const Ends ends = ring(mode, {ints}, {ints}, {3, ints}, {3, -ints});
            bind_all(ends);
            run_freely(ends, 8, 3);
            MPI_Barrier(MPI_COMM_WORLD);
        }
}

TEST_CASE("datatypes with gaps in a ring") {
    MPI_Datatype pairs = MPI_DATATYPE_NULL;
    CHECK_MPI(MPI_Type_vector(2, 1, 3, MPI_INT, &pairs));
    CHECK_MPI(MPI_Type_commit(&pairs));
    for (const int slots : {2, 5}) {
        const Ends ends = ring(Mode::send, {3, pairs}, {6, MPI_INT}, {slots, 3}, {slots, 8});
        bind_all(ends);
        run_freely(ends, 40, 4);
        const Ends back = ring(Mode::ssend, {6, MPI_INT}, {3, pairs}, {slots, -6}, {slots, -3});
        bind_all(back);
        run_freely(back, 40, 5);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    CHECK_MPI(MPI_Type_free(&pairs));
}

TEST_CASE("without an increment all use one buffer") {
    const Neighbours near;
    int from = 0, into = -1;
    MPI_Request in[2] = {init_of(Mode::send, &from, {}, {near.next, 1}),
                         init_of(Mode::recv, &into, {}, {near.previous, 1})};
    MPI_Request out[2] = {};
    const int slots[] = {4, 4};
    CHECK_MPI(MPIX_Bind_slack_channels(in, out, 2, slots, nullptr));
    for (int i = 0; i < 4; i++) CHECK_MPI(MPI_Start(&out[1]));
    for (int i = 0; i < 4; i++) {
        from = 10 * i + near.me;
        CHECK_MPI(MPI_Start(&out[0]));
        CHECK_MPI(MPI_Wait(&out[0], MPI_STATUS_IGNORE));
        CHECK_MPI(MPI_Wait(&out[1], MPI_STATUS_IGNORE));
    }
    CHECK(into == 30 + near.previous);
    CHECK_MPI(MPIX_Unbind_channels(out, 2));
    for (MPI_Request& request : in) CHECK_MPI(MPI_Request_free(&request));
}

TEST_CASE("a synchronous producer runs ahead by the slots, and no more") {
    const Neighbours near;
    constexpr int slots = 5;
    for (const int ints : {1, 30'000}) {
        const Ends ends = ring(Mode::ssend, {ints}, {ints}, {slots, ints}, {slots, ints});
        bind_all(ends);
        for (int lap = 0; lap < 12; lap++) {
            for (int i = 0; i < slots; i++) ends[0]->start();
            for (int i = 0; i < 50; i++) CHECK(!ends[0]->test()); // nobody has begun to receive
            MPI_Barrier(MPI_COMM_WORLD);
            for (int taken = 0; taken < slots; taken++) {
                ends[1]->start();
                ends[1]->wait();
            }
            while (ends[0]->under_way() > 0) ends[0]->wait();
            MPI_Barrier(MPI_COMM_WORLD);
        }
        for (const auto& end : ends) end->check_all();
    }
}

TEST_CASE("the sends of a ready channel need no receiver to complete") {
    constexpr int slots = 16;
    const Ends ends = ring(Mode::rsend, {2}, {2}, {slots, 2}, {slots, 2});
    bind_all(ends);
    for (int i = 0; i < slots; i++) ends[1]->start();
    MPI_Barrier(MPI_COMM_WORLD);
    for (int i = 0; i < slots; i++) {
        ends[0]->start();
        ends[0]->wait();
    }
    MPI_Barrier(MPI_COMM_WORLD);
    for (int i = 0; i < slots; i++) ends[1]->wait();
}

TEST_CASE("freely, with every kind of send") {
    for (const Mode mode : {Mode::send, Mode::bsend, Mode::ssend})
        for (const int slots : {1, 2, 7, 64}) {
            const Ends ends = ring(mode, {3}, {3}, {slots, 3}, {slots, 3});
            bind_all(ends);
            run_freely(ends, 300, 7);
            MPI_Barrier(MPI_COMM_WORLD);
        }
}

TEST_CASE("blocks are split and merged") {
    struct Case {
        int send, recv, send_slots, recv_slots;
    };
    for (const Case& one : {Case{8, 4, 4, 8},
                            {4, 8, 8, 4},
                            {6, 4, 4, 6},
                            {4, 6, 3, 2},
                            {10'000, 2500, 2, 8},
                            {5, 5, 3, 3},
                            {1, 64, 64, 1}}) {
        INFO(one.send << " into " << one.recv);
        const Neighbours near;
        // The ring of either end holds the same numbers.
        const int total = one.send * one.send_slots, laps = 3;
        const int moved = std::max(total, one.recv * one.recv_slots);
        std::vector<int> from(static_cast<std::size_t>(total)),
            into(static_cast<std::size_t>(one.recv * one.recv_slots), -1);
        MPI_Request in[2] = {init_of(Mode::send, from.data(), {one.send}, {near.next, 1}),
                             init_of(Mode::recv, into.data(), {one.recv}, {near.previous, 1})};
        InfoOf send_info({one.send_slots, one.send}), recv_info({one.recv_slots, one.recv});
        send_info.set("mpix_split_merge", "true");
        recv_info.set("mpix_split_merge", "true");
        const int slots[] = {one.send_slots, one.recv_slots};
        const MPI_Info infos[] = {send_info.info, recv_info.info};
        MPI_Request out[2] = {};
        CHECK_MPI(MPIX_Bind_slack_channels(in, out, 2, slots, infos));
        CHECK(moved == total); // as the cases are chosen
        for (int lap = 0; lap < laps; lap++) {
            for (std::size_t i = 0; i < from.size(); i++) from[i] = value_at(near.me, lap, i);
            for (int i = 0; i < one.recv_slots; i++) CHECK_MPI(MPI_Start(&out[1]));
            for (int i = 0; i < one.send_slots; i++) CHECK_MPI(MPI_Start(&out[0]));
            for (int i = 0; i < one.recv_slots; i++) {
                MPI_Status status;
                CHECK_MPI(MPI_Wait(&out[1], &status));
                int count = -1;
                CHECK_MPI(MPI_Get_count(&status, MPI_INT, &count));
                CHECK(count == one.recv);
            }
            for (int i = 0; i < one.send_slots; i++)
                CHECK_MPI(MPI_Wait(&out[0], MPI_STATUS_IGNORE));
            for (std::size_t i = 0; i < into.size(); i++)
                if (into[i] != value_at(near.previous, lap, i)) CHECK(i == into.size());
        }
        CHECK_MPI(MPIX_Unbind_channels(out, 2));
        for (MPI_Request& request : in) CHECK_MPI(MPI_Request_free(&request));
    }
}
