// SPDX-License-Identifier: BSD-3-Clause
// What channels move: of all kinds of sends, sizes and datatypes, to any partner.
#include "channels/channels.hpp"
#include "collectives/intercommunicators.hpp"
#include "common/elements.hpp"
#include "common/random_types.hpp"

#include <array>

using namespace mpitest;

namespace {

constexpr Mode send_modes[] = {Mode::send, Mode::bsend, Mode::ssend, Mode::rsend};

void run_ring(Mode mode, const Block& send, const Block& recv, int rounds = 4) {
    const Ends ends = ring(mode, send, recv);
    bind_all(ends);
    run_rounds(ends, rounds);
}

// The datatype twice as far apart.
Type spread(MPI_Datatype type) {
    MPI_Datatype made = MPI_DATATYPE_NULL;
    MPI_Type_vector(2, 1, 2, type, &made);
    MPI_Type_commit(&made);
    return Type(made);
}

} // namespace

TEST_CASE("every kind of send, from nothing to a megabyte") {
    for (const Mode mode : send_modes)
        for (const int ints : {0, 1, 2, 3, 16, 126, 127, 2048, 2049, 10'000, 262'144})
            run_ring(mode, {ints, MPI_INT}, {ints, MPI_INT});
}

TEST_CASE("datatypes with gaps at either end") {
    const Type gaps = spread(MPI_INT);
    for (const int ints : {2, 10, 4000, 100'000}) {
        run_ring(Mode::send, {ints / 2, gaps}, {ints, MPI_INT});
        run_ring(Mode::ssend, {ints, MPI_INT}, {ints / 2, gaps});
        run_ring(Mode::send, {ints / 2, gaps}, {ints / 2, gaps});
    }
}

TEST_CASE("random datatypes, sent or received as bytes") {
    const Neighbours near;
    for (std::uint32_t seed = 1; seed <= 60; seed++) {
        INFO("seed " << seed);
        RandomTypes random(seed);
        const Type type = random.make(random.between(0, 4), 3000);
        const int count = random.between(1, 9);
        Elements typed(type, count), theirs(type, count);
        Bytes bytes(static_cast<std::size_t>(typed.size()));
        for (const bool is_sent : {true, false}) {
            if (!is_sent && typed.overlap()) continue;
            MPI_Request in[2] = {}, out[2] = {};
            const Block elements{count, type}, plain{typed.size(), MPI_BYTE};
            typed.fill(near.me, 0);
            theirs.fill(near.previous, 0);
            const Bytes packed = theirs.packed();
            if (!is_sent) bytes = typed.packed();
            in[0] = init_of(Mode::send, is_sent ? typed.data() : bytes.data(),
                            is_sent ? elements : plain, {near.next, 3});
            in[1] = init_of(Mode::recv, is_sent ? bytes.data() : typed.data(),
                            is_sent ? plain : elements, {near.previous, 3});
            CHECK_MPI(MPIX_Bind_channels(in, out, 2, nullptr));
            for (int round = 0; round < 2; round++) {
                if (!is_sent) typed.fill(7, round);
                CHECK_MPI(MPI_Startall(2, out));
                CHECK_MPI(MPI_Waitall(2, out, MPI_STATUSES_IGNORE));
                theirs.fill(7, round);
                theirs.unpack(packed);
                CHECK((is_sent ? bytes == packed : typed.memory() == theirs.memory()));
            }
            CHECK_MPI(MPIX_Unbind_channels(out, 2));
            for (MPI_Request& request : in) CHECK_MPI(MPI_Request_free(&request));
        }
    }
}

TEST_CASE("a sender with less than the receiver has room for") {
    const Type gaps = spread(MPI_INT);
    for (const bool is_typed : {false, true}) {
        const Neighbours near;
        const Block wide{is_typed ? 5 : 10, is_typed ? MPI_Datatype(gaps) : MPI_INT};
        MPI_Request in[2] = {}, out[2] = {};
        std::vector<int> from(4), into(32, -7);
        for (std::size_t i = 0; i < from.size(); i++) from[i] = value_at(near.me, 0, i);
        in[0] = init_of(Mode::send, from.data(), {4, MPI_INT}, {near.next, 2});
        in[1] = init_of(Mode::recv, into.data(), wide, {near.previous, 2});
        CHECK_MPI(MPIX_Bind_channels(in, out, 2, nullptr));
        CHECK_MPI(MPI_Startall(2, out));
        MPI_Status statuses[2];
        CHECK_MPI(MPI_Waitall(2, out, statuses));
        int count = -1;
        CHECK_MPI(MPI_Get_count(&statuses[1], MPI_INT, &count));
        CHECK(count == 4);
        for (std::size_t i = 0; i < into.size(); i++) {
            const bool is_gap = is_typed ? i % 3 == 1 : false;
            const std::size_t element = is_typed ? i / 3 * 2 + i % 3 / 2 : i;
            CHECK(into[i] == (is_gap || element >= 4 ? -7 : value_at(near.previous, 0, element)));
        }
        CHECK_MPI(MPIX_Unbind_channels(out, 2));
        CHECK((out[0] == MPI_REQUEST_NULL && out[1] == MPI_REQUEST_NULL));
        for (MPI_Request& request : in) CHECK_MPI(MPI_Request_free(&request));
    }
}

TEST_CASE("to the process itself") {
    const int me = rank_of();
    for (const Mode mode : send_modes) {
        Ends ends;
        ends.push_back(
            std::make_unique<ChannelEnd>(mode, Block{9}, Partner{me, 1, MPI_COMM_WORLD, 3}));
        ends.push_back(
            std::make_unique<ChannelEnd>(Mode::recv, Block{9}, Partner{me, 1, MPI_COMM_WORLD, 3}));
        bind_all(ends);
        run_rounds(ends, 5);
    }
}

TEST_CASE("to nobody") {
    for (const int slots : {1, 3}) {
        for (const Mode mode : {Mode::send, Mode::ssend, Mode::recv}) {
            ChannelEnd end(mode, Block{0}, Partner{MPI_PROC_NULL, 4}, {slots, slots - 1});
            end.expected_tag = MPI_ANY_TAG;
            end.bind();
            for (int round = 0; round < 5; round++) {
                for (int i = 0; i < slots; i++) end.start();
                for (int i = 0; i < slots; i++) end.wait();
            }
        }
    }
}

TEST_CASE("requests made with the forms whose counts are wider than int") {
    const Neighbours near;
    constexpr std::array<decltype(&MPI_Send_init_c), 4> forms{MPI_Send_init_c, MPI_Bsend_init_c,
                                                              MPI_Ssend_init_c, MPI_Rsend_init_c};
    for (std::size_t form = 0; form < forms.size(); ++form) {
        INFO("form " << form);
        const int tag = 20 + static_cast<int>(form), salt = 100 * tag;
        std::vector<int> from(50, salt + near.me), into(50, -1);
        MPI_Request in[2] = {}, out[2] = {};
        CHECK_MPI(forms[form](from.data(), 50, MPI_INT, near.next, tag, MPI_COMM_WORLD, &in[0]));
        CHECK_MPI(
            MPI_Recv_init_c(into.data(), 50, MPI_INT, near.previous, tag, MPI_COMM_WORLD, &in[1]));
        CHECK_MPI(MPIX_Bind_channels(in, out, 2, nullptr));
        // A ready sender starts when the other end has.
        CHECK_MPI(MPI_Start(&out[1]));
        MPI_Barrier(MPI_COMM_WORLD);
        CHECK_MPI(MPI_Start(&out[0]));
        CHECK_MPI(MPI_Waitall(2, out, MPI_STATUSES_IGNORE));
        CHECK(into == std::vector<int>(50, salt + near.previous));
        CHECK_MPI(MPIX_Unbind_channels(out, 2));
        for (MPI_Request& request : in) CHECK_MPI(MPI_Request_free(&request));
    }
}

TEST_CASE("what a channel was made of may go") {
    const Neighbours near;
    std::vector<int> from(50, near.me), into(50, -1);
    MPI_Request in[2] = {}, out[2] = {};
    CHECK_MPI(MPI_Send_init(from.data(), 50, MPI_INT, near.next, 8, MPI_COMM_WORLD, &in[0]));
    CHECK_MPI(MPI_Recv_init(into.data(), 50, MPI_INT, near.previous, 8, MPI_COMM_WORLD, &in[1]));
    CHECK_MPI(MPIX_Bind_channels(in, out, 2, nullptr));
    for (MPI_Request& request : in) CHECK_MPI(MPI_Request_free(&request));
    CHECK_MPI(MPI_Startall(2, out));
    CHECK_MPI(MPI_Waitall(2, out, MPI_STATUSES_IGNORE));
    CHECK(into == std::vector<int>(50, near.previous));
    CHECK_MPI(MPIX_Unbind_channels(out, 2));
}

TEST_CASE("between two groups") {
    for_all_groups([](const Groups& groups) {
        // Each rank of one group sends to one of the other, by its rank there, and back.
        const int peer = groups.me % groups.remote;
        const int most = std::max(groups.here, groups.remote);
        Ends ends;
        const auto add = [&](Mode mode, int rank, int tag, int salt) {
            ends.push_back(std::make_unique<ChannelEnd>(mode, Block{7},
                                                        Partner{rank, tag, groups.between, salt}));
        };
        add(Mode::send, peer, groups.me, groups.number() * 100 + groups.me);
        for (int other = 0; other < most && other < groups.remote; other++)
            if (other % groups.here == groups.me)
                add(Mode::recv, other, other, groups.other() * 100 + other);
        bind_all(ends);
        run_rounds(ends, 3);
    });
}

TEST_CASE("made without other requests") {
    const Neighbours near;
    for (const int ints : {1, 500, 40'000}) {
        const auto n = static_cast<std::size_t>(ints);
        std::vector<int> from(n), into(n, -1);
        MPI_Request ends[2] = {};
        CHECK_MPI(MPIX_Send_channel_init(from.data(), ints, MPI_INT, near.next, 6, MPI_COMM_WORLD,
                                         MPI_INFO_NULL, &ends[0]));
        CHECK_MPI(MPIX_Recv_channel_init(into.data(), ints, MPI_INT, near.previous, 6,
                                         MPI_COMM_WORLD, MPI_INFO_NULL, &ends[1]));
        for (int round = 0; round < 4; round++) {
            for (std::size_t i = 0; i < n; i++) from[i] = value_at(near.me, round, i);
            CHECK_MPI(MPI_Start(&ends[1]));
            CHECK_MPI(MPI_Start(&ends[0]));
            MPI_Status statuses[2];
            CHECK_MPI(MPI_Waitall(2, ends, statuses));
            CHECK(statuses[1].MPI_SOURCE == near.previous);
            CHECK(statuses[1].MPI_TAG == 6);
            for (std::size_t i = 0; i < n; i++)
                if (into[i] != value_at(near.previous, round, i)) CHECK(i == n);
        }
        CHECK_MPI(MPIX_Unbind_channels(ends, 2));
    }
}
