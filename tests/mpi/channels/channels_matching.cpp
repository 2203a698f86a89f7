// SPDX-License-Identifier: BSD-3-Clause
// Which ends become a channel: as the messages of the two requests would meet, wherever they stand
// in the calls, and whatever else waits.
#include "channels/channels.hpp"
#include "common/chance.hpp"
#include "common/plans.hpp"

#include <utility>

using namespace mpitest;

namespace {

// The same on every rank: a channel of a graph.
struct Arc {
    int from, to, tag;
    std::size_t comm;
    Mode mode;
};

// Communicators with the ranks in different orders.
class Comms {
  public:
    Comms() {
        all.push_back(MPI_COMM_WORLD);
        all.push_back(duplicate());
        MPI_Comm reversed = MPI_COMM_NULL;
        CHECK_MPI(MPI_Comm_split(MPI_COMM_WORLD, 0, -rank_of(), &reversed));
        all.push_back(reversed);
    }
    ~Comms() {
        for (std::size_t i = 1; i < all.size(); i++) CHECK_MPI(MPI_Comm_free(&all[i]));
    }
    Comms(const Comms&) = delete;
    Comms& operator=(const Comms&) = delete;
    // A rank of the world, in another communicator.
    int rank_in(std::size_t comm, int rank) const {
        return comm == 2 ? size_of() - 1 - rank : rank;
    }
    std::vector<MPI_Comm> all;
};

std::vector<Arc> random_graph(int arcs, std::uint32_t seed) {
    Random random(seed);
    std::vector<Arc> graph;
    for (int i = 0; i < arcs; i++)
        graph.push_back({draw(random, 0, size_of() - 1), draw(random, 0, size_of() - 1), i,
                         static_cast<std::size_t>(draw(random, 0, 2)),
                         static_cast<Mode>(draw(random, 0, 3))});
    return graph;
}

Block block_of(const Arc& arc) { return {1 + arc.tag % 17, MPI_INT}; }

// The ends of an arc that this rank has.
void add_ends(const Arc& arc, const Comms& comms, Ends& ends) {
    const MPI_Comm comm = comms.all[arc.comm];
    if (arc.from == rank_of())
        ends.push_back(std::make_unique<ChannelEnd>(
            arc.mode, block_of(arc),
            Partner{comms.rank_in(arc.comm, arc.to), arc.tag, comm, arc.tag}));
    if (arc.to == rank_of())
        ends.push_back(std::make_unique<ChannelEnd>(
            Mode::recv, block_of(arc),
            Partner{comms.rank_in(arc.comm, arc.from), arc.tag, comm, arc.tag}));
}

class Key {
  public:
    Key(const char* key, const char* value) {
        CHECK_MPI(MPI_Info_create(&info));
        CHECK_MPI(MPI_Info_set(info, key, value));
    }
    ~Key() { CHECK_MPI(MPI_Info_free(&info)); }
    Key(const Key&) = delete;
    Key& operator=(const Key&) = delete;
    MPI_Info info = MPI_INFO_NULL;
};

} // namespace

TEST_CASE("a random graph of 1000 channels at once, in another order on every rank") {
    const Comms comms;
    Ends ends;
    for (const Arc& arc : random_graph(1000, 1)) add_ends(arc, comms, ends);
    Random random(static_cast<std::uint32_t>(100 + rank_of()));
    std::shuffle(ends.begin(), ends.end(), random);
    bind_all(ends);
    run_rounds(ends, 2);
    std::shuffle(ends.begin(), ends.end(), random); // they are unbound in any order
}

TEST_CASE("a random graph of 1000 channels one by one") {
    const Comms comms;
    Ends ends;
    for (const Arc& arc : random_graph(1000, 2)) {
        Ends own;
        add_ends(arc, comms, own);
        if (own.size() == 1) own[0]->bind();
        if (own.size() == 2) bind_all(own);
        for (auto& end : own) ends.push_back(std::move(end));
    }
    run_rounds(ends, 2);
}

TEST_CASE("wildcards: the status tells the partner") {
    const Neighbours near;
    for (const bool any_tag : {false, true}) {
        Ends ends;
        ends.push_back(std::make_unique<ChannelEnd>(
            Mode::send, Block{3}, Partner{near.next, 21, MPI_COMM_WORLD, near.me}));
        ends.push_back(std::make_unique<ChannelEnd>(
            Mode::recv, Block{3},
            Partner{MPI_ANY_SOURCE, any_tag ? MPI_ANY_TAG : 21, MPI_COMM_WORLD, near.previous}));
        ends[1]->expected_source = near.previous;
        ends[1]->expected_tag = 21;
        bind_all(ends);
        run_rounds(ends, 3);
        MPI_Barrier(MPI_COMM_WORLD);
    }
}

TEST_CASE("any source, of many that send: each channel keeps the partner it has found") {
    const Neighbours near;
    std::vector<MPI_Request> in, out(static_cast<std::size_t>(near.ranks) + 1);
    std::vector<int> into(static_cast<std::size_t>(near.ranks), -1);
    int mine = near.me;
    for (int i = 0; near.me == 0 && i < near.ranks; i++)
        in.push_back(
            init_of(Mode::recv, &into[static_cast<std::size_t>(i)], {}, {MPI_ANY_SOURCE, 4}));
    in.push_back(init_of(Mode::send, &mine, {}, {0, 4}));
    const int n = static_cast<int>(in.size());
    CHECK_MPI(MPIX_Bind_channels(in.data(), out.data(), n, nullptr));
    std::vector<int> partners;
    for (int round = 0; round < 3; round++) {
        mine = 100 * round + near.me;
        CHECK_MPI(MPI_Startall(n, out.data()));
        std::vector<MPI_Status> statuses(in.size());
        CHECK_MPI(MPI_Waitall(n, out.data(), statuses.data()));
        std::vector<int> found;
        for (std::size_t i = 0; i + 1 < in.size(); i++) {
            found.push_back(statuses[i].MPI_SOURCE);
            CHECK(into[i] == 100 * round + found.back());
        }
        if (round > 0) CHECK(found == partners);
        partners = found;
        std::sort(found.begin(), found.end());
        for (std::size_t i = 0; i < found.size(); i++) CHECK(found[i] == static_cast<int>(i));
        MPI_Barrier(MPI_COMM_WORLD);
    }
    CHECK_MPI(MPIX_Unbind_channels(out.data(), n));
    for (MPI_Request& request : in) CHECK_MPI(MPI_Request_free(&request));
}

TEST_CASE("equal envelopes meet in the order in which they are bound") {
    const Neighbours near;
    constexpr std::size_t n = 5;
    int from[n], into[n];
    MPI_Request in[2 * n], out[2 * n];
    for (std::size_t i = 0; i < n; i++) {
        from[i] = static_cast<int>(i) * 10 + near.me;
        in[2 * i] = init_of(Mode::send, &from[i], {}, {near.next, 9});
        in[2 * i + 1] = init_of(Mode::recv, &into[i], {}, {near.previous, 9});
        CHECK_MPI(MPIX_Bind_channels(&in[2 * i], &out[2 * i], 2, nullptr));
    }
    CHECK_MPI(MPI_Startall(2 * n, out));
    CHECK_MPI(MPI_Waitall(2 * n, out, MPI_STATUSES_IGNORE));
    for (std::size_t i = 0; i < n; i++) CHECK(into[i] == static_cast<int>(i) * 10 + near.previous);
    CHECK_MPI(MPIX_Unbind_channels(out, 2 * n));
    for (MPI_Request& request : in) CHECK_MPI(MPI_Request_free(&request));
}

TEST_CASE("messages of the program and of channels with their envelope do not meet") {
    const Neighbours near;
    const Ends ends = ring(Mode::send, {1}, {1});
    bind_all(ends);
    for (int round = 0; round < 3; round++) {
        int mine = -near.me - 1, got = 0;
        MPI_Request request = MPI_REQUEST_NULL;
        CHECK_MPI(
            MPI_Irecv(&got, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &request));
        for (const auto& end : ends) end->start();
        for (const auto& end : ends) end->wait();
        CHECK_MPI(MPI_Send(&mine, 1, MPI_INT, near.next, 5, MPI_COMM_WORLD));
        CHECK_MPI(MPI_Wait(&request, MPI_STATUS_IGNORE));
        CHECK(got == -near.previous - 1);
    }
}

TEST_CASE("a bind that finds nobody yet does not stop others") {
    const Neighbours near;
    int from[2] = {near.me, 50 + near.me}, into[2] = {-1, -1};
    MPI_Request in[4] = {init_of(Mode::recv, &into[0], {}, {near.previous, 31}),
                         init_of(Mode::send, &from[0], {}, {near.next, 31}),
                         init_of(Mode::send, &from[1], {}, {near.next, 32}),
                         init_of(Mode::recv, &into[1], {}, {near.previous, 32})};
    MPI_Request out[4] = {};
    CHECK_MPI(MPIX_Ibind_channel(in[0], &out[0], MPI_INFO_NULL));
    int flag = -1;
    CHECK_MPI(MPI_Test(&in[0], &flag, MPI_STATUS_IGNORE));
    CHECK(flag == 0);
    CHECK_MPI(MPIX_Bind_channels(&in[2], &out[2], 2, nullptr));
    CHECK_MPI(MPI_Startall(2, &out[2]));
    CHECK_MPI(MPI_Waitall(2, &out[2], MPI_STATUSES_IGNORE));
    CHECK(into[1] == 50 + near.previous);
    CHECK_MPI(MPI_Test(&in[0], &flag, MPI_STATUS_IGNORE));
    CHECK(flag == 0);
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK_MPI(MPIX_Ibind_channel(in[1], &out[1], MPI_INFO_NULL));
    MPI_Status statuses[2] = {spoiled_status(), spoiled_status()};
    CHECK_MPI(MPI_Waitall(2, in, statuses));
    CHECK((in[0] != MPI_REQUEST_NULL && in[1] != MPI_REQUEST_NULL));
    CHECK(statuses[0].MPI_SOURCE == near.previous);
    CHECK(statuses[0].MPI_TAG == 31);
    CHECK_MPI(MPI_Startall(2, out));
    CHECK_MPI(MPI_Waitall(2, out, MPI_STATUSES_IGNORE));
    CHECK(into[0] == near.previous);
    // What they were made of is as it was.
    CHECK_MPI(MPI_Startall(4, in));
    CHECK_MPI(MPI_Waitall(4, in, MPI_STATUSES_IGNORE));
    CHECK_MPI(MPIX_Unbind_channels(out, 4));
    for (MPI_Request& request : in) CHECK_MPI(MPI_Request_free(&request));
}

TEST_CASE("plans move while a bind waits") {
    if (size_of() < 3) return;
    const Key chain("mpix_plan", "bcast_chain");
    const int me = rank_of();
    std::vector<int> data(1000, me == 0 ? 7 : -1);
    MPI_Request bcast = MPI_REQUEST_NULL, in = MPI_REQUEST_NULL, out = MPI_REQUEST_NULL;
    CHECK_MPI(MPI_Bcast_init(data.data(), 1000, MPI_INT, 0, MPI_COMM_WORLD, chain.info, &bcast));
    CHECK_MPI(MPI_Start(&bcast));
    int token = 0;
    // Rank 1 forwards to rank 2, and waits for it here.
    if (me == 1) in = init_of(Mode::recv, &token, {}, {2, 1});
    if (me == 2) {
        CHECK_MPI(MPI_Wait(&bcast, MPI_STATUS_IGNORE));
        in = init_of(Mode::send, &token, {}, {1, 1});
    }
    if (in != MPI_REQUEST_NULL) CHECK_MPI(MPIX_Bind_channel(in, &out, MPI_INFO_NULL));
    if (me != 2) CHECK_MPI(MPI_Wait(&bcast, MPI_STATUS_IGNORE));
    CHECK(data == std::vector<int>(1000, 7));
    CHECK_MPI(MPI_Request_free(&bcast));
    if (in == MPI_REQUEST_NULL) return;
    CHECK_MPI(MPIX_Unbind_channel(&out));
    CHECK_MPI(MPI_Request_free(&in));
}

TEST_CASE("one end is bound, the other made without a request") {
    const Neighbours near;
    int mine = near.me, got = -1;
    MPI_Request in = init_of(Mode::recv, &got, {}, {MPI_ANY_SOURCE, 12}), ends[2] = {};
    CHECK_MPI(MPIX_Send_channel_init(&mine, 1, MPI_INT, near.next, 12, MPI_COMM_WORLD,
                                     MPI_INFO_NULL, &ends[0]));
    CHECK_MPI(MPIX_Bind_channel(in, &ends[1], MPI_INFO_NULL));
    CHECK_MPI(MPI_Startall(2, ends));
    MPI_Status statuses[2];
    CHECK_MPI(MPI_Waitall(2, ends, statuses));
    CHECK(got == near.previous);
    CHECK(statuses[1].MPI_SOURCE == near.previous);
    CHECK_MPI(MPIX_Unbind_channels(ends, 2));
    CHECK_MPI(MPI_Request_free(&in));
}

// Neither end waits for the other one when it is unbound, and none is an error of the other's.
TEST_CASE("an end is unbound before its partner is there") {
    const Neighbours near;
    int sent = near.me, got = -1;
    for (const bool sends : {true, false}) {
        MPI_Request early = MPI_REQUEST_NULL, in = MPI_REQUEST_NULL, out = MPI_REQUEST_NULL;
        if (sends) {
            CHECK_MPI(MPIX_Send_channel_init(&sent, 1, MPI_INT, near.next, 13, MPI_COMM_WORLD,
                                             MPI_INFO_NULL, &early));
            in = init_of(Mode::recv, &got, {}, {near.previous, 13});
        } else {
            CHECK_MPI(MPIX_Recv_channel_init(&got, 1, MPI_INT, near.previous, 13, MPI_COMM_WORLD,
                                             MPI_INFO_NULL, &early));
            in = init_of(Mode::send, &sent, {}, {near.next, 13});
        }
        CHECK_MPI(MPIX_Unbind_channel(&early));
        CHECK_MPI(MPI_Barrier(MPI_COMM_WORLD));
        CHECK_MPI(MPIX_Bind_channel(in, &out, MPI_INFO_NULL));
        CHECK_MPI(MPIX_Unbind_channel(&out));
        // The next two that match meet as if these had never been.
        for (const bool again : {sends, !sends})
            if (again)
                CHECK_MPI(MPIX_Send_channel_init(&sent, 1, MPI_INT, near.next, 13, MPI_COMM_WORLD,
                                                 MPI_INFO_NULL, &early));
            else
                CHECK_MPI(MPIX_Recv_channel_init(&got, 1, MPI_INT, near.previous, 13,
                                                 MPI_COMM_WORLD, MPI_INFO_NULL, &out));
        MPI_Request ends[] = {early, out};
        CHECK_MPI(MPI_Startall(2, ends));
        CHECK_MPI(MPI_Waitall(2, ends, MPI_STATUSES_IGNORE));
        CHECK(std::exchange(got, -1) == near.previous);
        CHECK_MPI(MPIX_Unbind_channels(ends, 2));
        CHECK_MPI(MPI_Request_free(&in));
    }
}
