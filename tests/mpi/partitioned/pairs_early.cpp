// SPDX-License-Identifier: BSD-3-Clause
// Partitions that are ready travel while others are not: one is held back until all that do not
// depend on it have arrived, which the receiver sees by MPI_Parrived alone. How far they come while
// the sender is inside another call, or computes.
#include "common/signal.hpp"
#include "partitioned/pairs.hpp"

using namespace mpitest;

namespace {

constexpr int token_tag = 91;

// Whether the processes of a node reach each other's memory: what is marked within it is there at
// once.
bool shares_memory() {
    const char* const transport = std::getenv("MPIX_TRANSPORT");
    return transport == nullptr || std::string(transport) != "host";
}

// The partitions of the receiver that have no byte of `held`, where both have the same bytes.
std::vector<int> independent(int send_parts, int recv_parts, int held) {
    std::vector<int> list;
    for (int part = 0; part < recv_parts; part++) {
        const bool is_before = (part + 1) * send_parts <= held * recv_parts;
        const bool is_behind = part * send_parts >= (held + 1) * recv_parts;
        if (is_before || is_behind) list.push_back(part);
    }
    return list;
}

int still_missing(const RecvEnd& end, const std::vector<int>& there) {
    int missing = 0;
    for (int part = 0; part < end.parts(); part++) {
        const bool is_there = std::find(there.begin(), there.end(), part) != there.end();
        missing += !is_there && !end.has(part);
    }
    return missing;
}

struct Parts {
    int send, recv, ints; // ints of all partitions
};

// Round the ring: all ranks hold back the same one.
void hold_back(const Parts& parts, MPI_Info info) {
    INFO(parts.send << " to " << parts.recv << " partitions of " << parts.ints << " ints");
    const Ring ring;
    SendEnd send({parts.send, parts.ints / parts.send},
                 {ring.next, 1, MPI_COMM_WORLD, ring.me, info});
    RecvEnd recv({parts.recv, parts.ints / parts.recv},
                 {ring.previous, 1, MPI_COMM_WORLD, ring.previous, info});
    int round = 0;
    for (const int held : {0, parts.send / 2, parts.send - 1}) {
        INFO("held back: " << held);
        send.start(round);
        recv.start(round);
        send.mark_all(static_cast<std::uint32_t>(round), held);
        const std::vector<int> there = independent(parts.send, parts.recv, held);
        recv.await(there, static_cast<std::uint32_t>(round));
        CHECK(still_missing(recv, there) == parts.recv - static_cast<int>(there.size()));
        CHECK_MPI(MPI_Barrier(MPI_COMM_WORLD)); // all have seen that
        send.mark(held);
        recv.await_all(1);
        recv.finish();
        send.finish();
        round++;
    }
}

// How the first rank spends its time until the last one has what it may have.
enum class Meanwhile { in_a_receive, in_a_barrier, away };

struct Meeting {
    Meanwhile way;
    bool is_matched; // before, by a whole round
    Parts parts;
};

void spend(Meanwhile way, const Signal& signal) {
    int token = 0;
    switch (way) {
    case Meanwhile::in_a_receive:
        CHECK_MPI(MPI_Recv(&token, 1, MPI_INT, size_of() - 1, token_tag, MPI_COMM_WORLD,
                           MPI_STATUS_IGNORE));
        break;
    case Meanwhile::in_a_barrier: CHECK_MPI(MPI_Barrier(MPI_COMM_WORLD)); break;
    case Meanwhile::away: CHECK(signal.await()); break;
    }
}

void tell(Meanwhile way, const Signal& signal) {
    const int token = 1;
    switch (way) {
    case Meanwhile::in_a_receive:
        CHECK_MPI(MPI_Send(&token, 1, MPI_INT, 0, token_tag, MPI_COMM_WORLD));
        break;
    case Meanwhile::in_a_barrier: CHECK_MPI(MPI_Barrier(MPI_COMM_WORLD)); break;
    case Meanwhile::away: signal.give(); break;
    }
}

void send_and_spend(const Meeting& meeting, int held, const Signal& signal) {
    const Parts& parts = meeting.parts;
    SendEnd send({parts.send, parts.ints / parts.send}, {size_of() - 1, 2, MPI_COMM_WORLD, 3});
    for (int round = 0; round < (meeting.is_matched ? 2 : 1); round++) {
        const bool is_last = round == 1 || !meeting.is_matched;
        send.start(round);
        send.mark_all(4, is_last ? held : -1);
        if (is_last) spend(meeting.way, signal);
        if (is_last) send.mark(held);
        send.finish();
    }
}

void receive_and_tell(const Meeting& meeting, int held, const Signal& signal) {
    const Parts& parts = meeting.parts;
    RecvEnd recv({parts.recv, parts.ints / parts.recv}, {0, 2, MPI_COMM_WORLD, 3});
    for (int round = 0; round < (meeting.is_matched ? 2 : 1); round++) {
        const bool is_last = round == 1 || !meeting.is_matched;
        recv.start(round);
        if (is_last) recv.await(independent(parts.send, parts.recv, held), 5);
        if (is_last) tell(meeting.way, signal);
        recv.finish();
    }
}

// From the first rank to the last.
void meet(const Meeting& meeting) {
    INFO("way " << static_cast<int>(meeting.way) << ", matched " << meeting.is_matched << ", "
                << meeting.parts.ints << " ints");
    const int last = size_of() - 1, held = meeting.parts.send / 2;
    const Signal signal;
    CHECK_MPI(MPI_Barrier(MPI_COMM_WORLD));
    if (last == 0) return;
    if (rank_of() == 0)
        send_and_spend(meeting, held, signal);
    else if (rank_of() == last)
        receive_and_tell(meeting, held, signal);
    else if (meeting.way == Meanwhile::in_a_barrier)
        CHECK_MPI(MPI_Barrier(MPI_COMM_WORLD));
}

} // namespace

TEST_CASE("one partition is held back, all others arrive") {
    for (const Parts& parts : {Parts{8, 8, 40'000}, Parts{8, 16, 40'000}, Parts{16, 4, 80'000},
                               Parts{3, 5, 30'000}, Parts{4, 4, 400'000}})
        hold_back(parts, MPI_INFO_NULL);
}

TEST_CASE("small partitions that may travel alone") {
    const Info info("mpix_min_message_bytes", "1");
    MPI_Info_set(info, "mpix_max_messages", "100");
    for (const Parts& parts :
         {Parts{8, 8, 8}, Parts{5, 20, 20}, Parts{24, 4, 480}, Parts{100, 100, 100}})
        hold_back(parts, info);
}

TEST_CASE("while the sender is inside a receive") {
    for (const bool is_matched : {true, false})
        for (const int ints : {40'000, 160'000, 1'000'000})
            meet({Meanwhile::in_a_receive, is_matched, {8, 4, ints}});
}

TEST_CASE("while the sender is inside a barrier") {
    for (const bool is_matched : {true, false})
        for (const int ints : {40'000, 1'000'000})
            meet({Meanwhile::in_a_barrier, is_matched, {8, 4, ints}});
}

// Within the node nobody else is needed; over the host it may be up to the sender's next call.
TEST_CASE("while the sender computes") {
    const char* const node = std::getenv("MPIX_NODE_SIZE");
    if (!shares_memory() || (node && size_of() > 2)) return;
    for (const int ints : {40'000, 80'000}) meet({Meanwhile::away, true, {8, 4, ints}});
}
