// SPDX-License-Identifier: BSD-3-Clause
// Channels as members of bundles, beside members of other kinds, and by themselves in between.
#include "channels/channels.hpp"
#include "common/errors.hpp"
#include "partitioned/pairs.hpp"

using namespace mpitest;

namespace {

// Rings of many kinds, in one bundle or two.
class Bundled {
  public:
    explicit Bundled(bool is_nested) {
        MPI_Datatype pairs = MPI_DATATYPE_NULL;
        CHECK_MPI(MPI_Type_vector(2, 1, 3, MPI_INT, &pairs));
        CHECK_MPI(MPI_Type_commit(&pairs));
        add(ring(Mode::send, {2}, {2}));
        add(ring(Mode::ssend, {3}, {3}));
        add(ring(Mode::rsend, {3000}, {3000}));
        add(ring(Mode::send, {100'000}, {100'000}));
        add(ring(Mode::send, {4, pairs}, {8, MPI_INT}));
        add(ring(Mode::send, {2}, {2}, {4, 2}, {4, 2}));
        CHECK_MPI(MPI_Type_free(&pairs));
        bind_all(ends);
        for (const auto& end : ends) members.push_back(end->out);
        for (const MPI_Request request : {sum.request, parts.recv.request, parts.send.request})
            members.push_back(request);
        if (is_nested) {
            CHECK_MPI(MPIX_Bundle_init(5, members.data(), MPI_INFO_NULL, &inner));
            members.erase(members.begin(), members.begin() + 5);
            members.push_back(inner);
        }
        CHECK_MPI(MPIX_Bundle_init(static_cast<int>(members.size()), members.data(), MPI_INFO_NULL,
                                   &bundle));
    }
    ~Bundled() {
        if (bundle != MPI_REQUEST_NULL) CHECK_MPI(MPI_Request_free(&bundle));
        if (inner != MPI_REQUEST_NULL) CHECK_MPI(MPI_Request_free(&inner));
    }
    Bundled(const Bundled&) = delete;
    Bundled& operator=(const Bundled&) = delete;

    void prepare(int round) {
        for (const auto& end : ends) end->prepare();
        sum.prepare(round);
        parts.recv.prepare(round);
        parts.send.prepare(round);
    }
    void mark(int round) { parts.send.mark_all(static_cast<std::uint32_t>(round)); }
    void check(int round) {
        for (const auto& end : ends) end->check_data(); // no statuses of members are told
        CHECK(sum.right(round));
        parts.recv.check();
        parts.send.check();
    }

    Ends ends;
    Ours sum;
    RingPair parts{{3, 4}, {4, 3}};
    std::vector<MPI_Request> members;
    MPI_Request bundle = MPI_REQUEST_NULL, inner = MPI_REQUEST_NULL;

  private:
    void add(Ends more) {
        for (auto& end : more) ends.push_back(std::move(end));
    }
};

} // namespace

TEST_CASE("a bundle of channels of all kinds, a collective, and partitioned messages") {
    for (const bool is_nested : {false, true}) {
        Bundled all(is_nested);
        for (int round = 0; round < 20; round++) {
            all.prepare(round);
            CHECK_MPI(MPI_Start(&all.bundle));
            all.mark(round);
            if (round % 2 == 0) {
                CHECK_MPI(MPI_Wait(&all.bundle, MPI_STATUS_IGNORE));
            } else {
                int flag = 0;
                while (!flag) {
                    CHECK_MPI(MPI_Test(&all.bundle, &flag, MPI_STATUS_IGNORE));
                    pause_briefly();
                }
            }
            all.check(round);
            if (round % 3 == 0) { // by themselves
                for (const auto& end : all.ends) end->start();
                for (const auto& end : all.ends) end->wait();
            }
        }
        for (const auto& end : all.ends) end->check_all();
    }
}

TEST_CASE("a member of an active bundle is asked for by itself") {
    const Ends ends = ring(Mode::send, {5}, {5});
    bind_all(ends);
    MPI_Request members[] = {ends[0]->out, ends[1]->out}, bundle = MPI_REQUEST_NULL;
    CHECK_MPI(MPIX_Bundle_init(2, members, MPI_INFO_NULL, &bundle));
    for (int round = 0; round < 10; round++) {
        for (const auto& end : ends) end->prepare();
        CHECK_MPI(MPI_Start(&bundle));
        int flag = 0;
        MPI_Status status = spoiled_status();
        while (!flag && round % 2 == 0)
            CHECK_MPI(MPI_Request_get_status(ends[1]->out, &flag, &status));
        CHECK_MPI(MPI_Wait(&bundle, MPI_STATUS_IGNORE));
        CHECK_MPI(MPI_Request_get_status(ends[1]->out, &flag, &status));
        CHECK(flag == 1);
    }
    CHECK_MPI(MPI_Request_free(&bundle));
}

TEST_CASE("who completes a member of an active bundle does no harm to the next round") {
    for (const int ints : {5, 3000, 100'000}) {
        const Ends ends = ring(Mode::send, {ints}, {ints});
        bind_all(ends);
        MPI_Request members[] = {ends[0]->out, ends[1]->out}, bundle = MPI_REQUEST_NULL;
        CHECK_MPI(MPIX_Bundle_init(2, members, MPI_INFO_NULL, &bundle));
        for (int round = 0; round < 10; round++) {
            for (const auto& end : ends) end->prepare();
            CHECK_MPI(MPI_Start(&bundle));
            if (round % 3 != 2) CHECK_MPI(MPI_Wait(&members[round % 3], MPI_STATUS_IGNORE));
            CHECK_MPI(MPI_Wait(&bundle, MPI_STATUS_IGNORE));
            for (const auto& end : ends) end->check_data();
            if (round % 2 == 0) continue;
            for (const auto& end : ends) end->start();
            for (const auto& end : ends) end->wait();
        }
        CHECK_MPI(MPI_Request_free(&bundle));
    }
}

// The channel itself is done at once, but not the bundle that began it.
TEST_CASE("bundles with a common channel are not active at once") {
    const ErrorsReturn guard;
    const Ends ends = ring(Mode::send, {5}, {5});
    bind_all(ends);
    MPI_Request left = MPI_REQUEST_NULL, right = MPI_REQUEST_NULL;
    MPI_Request members[] = {ends[0]->out, ends[1]->out};
    CHECK_MPI(MPIX_Bundle_init(2, members, MPI_INFO_NULL, &left));
    CHECK_MPI(MPIX_Bundle_init(1, members, MPI_INFO_NULL, &right));
    for (int round = 0; round < 5; round++) {
        for (const auto& end : ends) end->prepare();
        CHECK_MPI(MPI_Start(&left));
        check_error(MPI_Start(&right), {MPI_ERR_REQUEST}, {"member 0", "active"});
        CHECK_MPI(MPI_Wait(&left, MPI_STATUS_IGNORE));
        for (const auto& end : ends) end->check_data();
        for (const auto& end : ends) end->prepare();
        CHECK_MPI(MPI_Start(&right));
        check_error(MPI_Start(&left), {MPI_ERR_REQUEST}, {"member 0", "active"});
        CHECK_MPI(MPI_Start(&ends[1]->out));
        CHECK_MPI(MPI_Wait(&right, MPI_STATUS_IGNORE));
        CHECK_MPI(MPI_Wait(&ends[1]->out, MPI_STATUS_IGNORE));
        for (const auto& end : ends) end->check_data();
    }
    CHECK_MPI(MPI_Request_free(&right));
    CHECK_MPI(MPI_Request_free(&left));
}

TEST_CASE("one channel after another") {
    // What comes from the previous rank goes on to the next in the same round.
    const Neighbours near;
    int token = 0;
    MPI_Request in[2] = {init_of(Mode::send, &token, {}, {near.next, 1}),
                         init_of(Mode::recv, &token, {}, {near.previous, 1})};
    MPI_Request out[2] = {}, bundle = MPI_REQUEST_NULL;
    CHECK_MPI(MPIX_Bind_channels(in, out, 2, nullptr));
    CHECK_MPI(MPIX_Bundle_init(2, out, MPI_INFO_NULL, &bundle));
    CHECK_MPI(near.me == 0 ? MPIX_Bundle_after(bundle, 1, 0) : MPIX_Bundle_after(bundle, 0, 1));
    for (int round = 0; round < 20; round++) {
        token = near.me == 0 ? round : -1;
        CHECK_MPI(MPI_Start(&bundle));
        CHECK_MPI(MPI_Wait(&bundle, MPI_STATUS_IGNORE));
        CHECK(token == round);
    }
    CHECK_MPI(MPI_Request_free(&bundle));
    CHECK_MPI(MPIX_Unbind_channels(out, 2));
    for (MPI_Request& request : in) CHECK_MPI(MPI_Request_free(&request));
}

TEST_CASE("26 neighbours on a grid, of which many are one rank") {
    int extents[3] = {0, 0, 0}, periods[3] = {1, 1, 1}, own[3] = {};
    CHECK_MPI(MPI_Dims_create(size_of(), 3, extents));
    MPI_Comm grid = MPI_COMM_NULL;
    CHECK_MPI(MPI_Cart_create(MPI_COMM_WORLD, 3, extents, periods, 0, &grid));
    CHECK_MPI(MPI_Cart_coords(grid, rank_of(grid), 3, own));
    const auto neighbour = [&](int direction) {
        int there[3] = {own[0] + direction / 9 - 1, own[1] + direction / 3 % 3 - 1,
                        own[2] + direction % 3 - 1};
        int rank = -1;
        CHECK_MPI(MPI_Cart_rank(grid, there, &rank));
        return rank;
    };
    for (const int ints : {2, 1000}) {
        Ends ends;
        for (int direction = 0; direction < 27; direction++) {
            if (direction == 13) continue;
            const int to = neighbour(direction), from = neighbour(26 - direction);
            ends.push_back(std::make_unique<ChannelEnd>(
                Mode::send, Block{ints},
                Partner{to, direction, grid, 100 * rank_of(grid) + direction}));
            ends.push_back(std::make_unique<ChannelEnd>(
                Mode::recv, Block{ints}, Partner{from, direction, grid, 100 * from + direction}));
        }
        bind_all(ends);
        std::vector<MPI_Request> members;
        for (const auto& end : ends) members.push_back(end->out);
        MPI_Request bundle = MPI_REQUEST_NULL;
        CHECK_MPI(MPIX_Bundle_init(52, members.data(), MPI_INFO_NULL, &bundle));
        for (int round = 0; round < 20; round++) {
            for (const auto& end : ends) end->prepare();
            CHECK_MPI(MPI_Start(&bundle));
            CHECK_MPI(MPI_Wait(&bundle, MPI_STATUS_IGNORE));
            for (const auto& end : ends) end->check_data();
        }
        CHECK_MPI(MPI_Request_free(&bundle));
    }
    CHECK_MPI(MPI_Comm_free(&grid));
}

TEST_CASE("a member is not unbound, nor started, while a bundle has it") {
    const ErrorsReturn returned;
    const Ends ends = ring(Mode::send, {5}, {5});
    bind_all(ends);
    MPI_Request members[] = {ends[0]->out, ends[1]->out}, bundle = MPI_REQUEST_NULL;
    CHECK_MPI(MPIX_Bundle_init(2, members, MPI_INFO_NULL, &bundle));
    MPI_Request twin = ends[0]->out;
    CHECK(class_of(MPIX_Unbind_channel(&twin)) == MPI_ERR_REQUEST);
    CHECK(twin == ends[0]->out);
    for (int round = 0; round < 3; round++) {
        for (const auto& end : ends) end->prepare();
        CHECK_MPI(MPI_Start(&bundle));
        CHECK(class_of(MPI_Start(&twin)) == MPI_ERR_REQUEST);
        CHECK(class_of(MPI_Start(&bundle)) == MPI_ERR_REQUEST);
        CHECK_MPI(MPI_Wait(&bundle, MPI_STATUS_IGNORE));
        for (const auto& end : ends) end->check_data();
    }
    for (const auto& end : ends) end->start();
    CHECK(class_of(MPI_Start(&bundle)) == MPI_ERR_REQUEST);
    for (const auto& end : ends) end->wait();
    CHECK_MPI(MPI_Request_free(&bundle));
}

TEST_CASE("a member has its slackness while no bundle that has it is active, and afterwards") {
    const ErrorsReturn returned;
    const int slots = 3;
    const Ends ends = ring(Mode::send, {2}, {2}, {slots, 2}, {slots, 2});
    bind_all(ends);
    MPI_Request members[] = {ends[0]->out, ends[1]->out}, bundle = MPI_REQUEST_NULL;
    CHECK_MPI(MPIX_Bundle_init(2, members, MPI_INFO_NULL, &bundle));
    const auto fill = [&] {
        for (const auto& end : ends) {
            for (int i = 0; i < slots; i++) end->start();
            MPI_Request twin = end->out;
            CHECK(class_of(MPI_Start(&twin)) == MPI_ERR_REQUEST);
        }
        CHECK(class_of(MPI_Start(&bundle)) == MPI_ERR_REQUEST);
        for (const auto& end : ends)
            for (int i = 0; i < slots; i++) end->wait();
    };
    for (int lap = 0; lap < 3; lap++) {
        fill();
        for (const auto& end : ends) end->prepare();
        CHECK_MPI(MPI_Start(&bundle));
        CHECK_MPI(MPI_Wait(&bundle, MPI_STATUS_IGNORE));
        for (const auto& end : ends) end->check_data();
    }
    CHECK_MPI(MPI_Request_free(&bundle));
    for (const auto& end : ends) end->start();
    for (const auto& end : ends) end->start();
    for (const auto& end : ends) end->wait();
    for (const auto& end : ends) end->wait();
}
