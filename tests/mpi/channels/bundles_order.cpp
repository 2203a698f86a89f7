// SPDX-License-Identifier: BSD-3-Clause
// MPIX_Bundle_after: members that wait for others, as seen by functions of the program and by data
// that a later member forwards.
#include <list>

#include "channels/bundles.hpp"

using namespace mpitest;

namespace {

// So many tasks in one bundle, that write down when they begin and end.
struct Tasks {
    explicit Tasks(int count) {
        Requests requests;
        for (int i = 0; i < count; i++)
            requests.push_back(tasks.emplace_back(1 + i % 3, &log, i).request);
        bundle.emplace_back(requests);
    }
    void run() {
        log.clear();
        bundle.front().run();
        CHECK(log.size() == 2 * tasks.size());
    }
    std::ptrdiff_t begin_of(int task) const {
        return std::find(log.begin(), log.end(), task) - log.begin();
    }
    std::ptrdiff_t end_of(int task) const { return begin_of(-1 - task); }
    bool follows(int later, int earlier) const { return end_of(earlier) < begin_of(later); }

    std::vector<int> log;
    std::list<Task> tasks;
    std::list<Bundle> bundle; // one, made last
};

} // namespace

TEST_CASE("without an order all begin at once, in the order of the members") {
    Tasks all(5);
    all.run();
    CHECK(std::vector<int>(all.log.begin(), all.log.begin() + 5) ==
          std::vector<int>{0, 1, 2, 3, 4});
}

TEST_CASE("a chain runs backwards, one after the other") {
    Tasks all(20);
    for (int i = 0; i < 19; i++) all.bundle.front().after(i, i + 1);
    for (int round = 0; round < 3; round++) {
        all.run();
        for (int i = 0; i < 19; i++) CHECK(all.follows(i, i + 1));
    }
}

TEST_CASE("a member that waits for several, and several that wait for one; said twice") {
    Tasks all(6);
    for (int again = 0; again < 2; again++) {
        for (const int earlier : {1, 4, 5}) all.bundle.front().after(2, earlier);
        for (const int later : {0, 3}) all.bundle.front().after(later, 2);
    }
    for (int round = 0; round < 3; round++) {
        all.run();
        for (const int earlier : {1, 4, 5}) CHECK(all.follows(2, earlier));
        for (const int later : {0, 3}) CHECK(all.follows(later, 2));
    }
}

TEST_CASE("orders are added between rounds") {
    Tasks all(4);
    for (int i = 1; i < 4; i++) {
        all.run();
        all.bundle.front().after(i - 1, i);
        all.run();
        for (int k = 1; k <= i; k++) CHECK(all.follows(k - 1, k));
    }
}

TEST_CASE("random orders without a circle") {
    for (std::uint32_t seed = 0; seed < 10; seed++) {
        Random random(seed);
        const int count = 2 + static_cast<int>(random() % 20);
        Tasks all(count);
        std::vector<int> rank(static_cast<std::size_t>(count)); // orders go up
        for (int& value : rank) value = static_cast<int>(random() % 1000);
        std::vector<std::pair<int, int>> orders;
        for (int i = 0; i < 40; i++) {
            const int a = static_cast<int>(random() % rank.size()),
                      b = static_cast<int>(random() % rank.size());
            if (rank[static_cast<std::size_t>(a)] <= rank[static_cast<std::size_t>(b)]) continue;
            all.bundle.front().after(a, b);
            orders.push_back({a, b});
        }
        for (int round = 0; round < 2; round++) {
            all.run();
            for (const auto& [later, earlier] : orders) CHECK(all.follows(later, earlier));
        }
    }
}

TEST_CASE("a value goes round the ring: the send waits for the receive") {
    const Ring ring;
    for (const int length : {1, 300, 50'000}) {
        const auto ints = static_cast<std::size_t>(length);
        std::vector<int> value(ints), last(ints);
        Requests own(2);
        int* const into = ring.me == 0 ? last.data() : value.data();
        CHECK_MPI(
            MPI_Send_init(value.data(), length, MPI_INT, ring.next, 74, MPI_COMM_WORLD, &own[0]));
        CHECK_MPI(MPI_Recv_init(into, length, MPI_INT, ring.previous, 74, MPI_COMM_WORLD, &own[1]));
        {
            Bundle bundle(own);
            if (ring.me != 0) bundle.after(0, 1);
            for (int round = 0; round < 5; round++) {
                std::fill(value.begin(), value.end(), ring.me == 0 ? round : -1);
                bundle.run();
                CHECK(value == std::vector<int>(ints, round));
                if (ring.me == 0) CHECK(last == value);
            }
        }
        for (MPI_Request& request : own) free_request(request);
    }
}

TEST_CASE("a collective works on what the one before it has made") {
    const Ring ring;
    int one = 0, sum = -1, total = -1, spread = -1;
    Requests own(3);
    CHECK_MPI(MPI_Bcast_init(&spread, 1, MPI_INT, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &own[0]));
    CHECK_MPI(MPI_Allreduce_init(&sum, &total, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL,
                                 &own[1]));
    CHECK_MPI(MPI_Allreduce_init(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL,
                                 &own[2]));
    Task copy(1);
    copy.at_start = [&] {
        if (ring.me == 0) spread = total;
    };
    {
        Bundle bundle({own[0], own[1], own[2], copy.request});
        bundle.after(1, 2);
        bundle.after(3, 1);
        bundle.after(0, 3);
        for (int round = 0; round < 50; round++) {
            one = round;
            sum = total = spread = -1;
            bundle.run();
            CHECK(spread == round * ring.ranks * ring.ranks);
        }
    }
    for (MPI_Request& request : own) free_request(request);
}

TEST_CASE("a bundle waits for a bundle") {
    std::vector<int> log;
    Task first(2, &log, 0), second(3, &log, 1), third(1, &log, 2), fourth(2, &log, 3);
    Bundle early({first.request, second.request}), late({third.request, fourth.request}),
        all({late.request, early.request});
    late.after(0, 1);
    all.after(0, 1);
    for (int round = 0; round < 3; round++) {
        log.clear();
        all.run();
        CHECK(log.size() == 8);
        const auto at = [&](int what) { return std::find(log.begin(), log.end(), what); };
        CHECK(at(-1) < at(3));
        CHECK(at(-2) < at(3));
        CHECK(at(-4) < at(2));
    }
}

TEST_CASE("partitions of a member that waits are marked at once, and sent when its turn has come") {
    for (const int ints : {1, 5'000, 40'000}) {
        OnePair pair(8, ints);
        Task gate(1);
        Bundle bundle({pair.send.request, gate.request});
        bundle.after(0, 1);
        for (int round = 0; round < 4; round++) {
            gate.is_held = true;
            pair.recv.start(round);
            pair.send.prepare(round);
            bundle.start();
            pair.send.mark_all(1);
            for (int turn = 0; turn < 30; turn++) {
                CHECK(!test(bundle.request));
                for (int part = 0; part < 8; part++) CHECK(!pair.recv.has(part));
            }
            CHECK_MPI(MPI_Barrier(MPI_COMM_WORLD)); // all have looked
            gate.is_held = false;
            bundle.wait();
            pair.recv.finish();
            pair.send.check();
        }
    }
}

TEST_CASE("a partitioned collective that waits, marked before its turn and after it") {
    for (const Partitioned& row : partitioned_calls) {
        if (row.is_neighbor()) continue;
        PartedOperation operation({.row = &row, .granules = 2, .seed = 3, .least = 1});
        INFO(operation.text());
        Task gate(1);
        Bundle bundle({operation.request, gate.request});
        bundle.after(0, 1);
        for (int round = 0; round < 4; round++) {
            const bool is_early = (round + rank_of()) % 2 == 0;
            operation.begin(round);
            gate.is_held = is_early;
            bundle.start();
            if (!is_early) turn_around(3);
            Marker(operation, 1).mark_all(Marking::list);
            gate.is_held = false;
            bundle.wait();
            operation.check();
        }
    }
}

TEST_CASE("requests for a partition of a member that waits") {
    OnePair pair(4, 3);
    PartRequests parts(pair.recv.request, 4);
    Task gate(1);
    Bundle bundle({pair.recv.request, gate.request});
    bundle.after(0, 1);
    for (int round = 0; round < 3; round++) {
        gate.is_held = true;
        pair.recv.prepare(round);
        bundle.start();
        for (MPI_Request& request : parts.requests) CHECK(!test(request));
        pair.send.start(round);
        pair.send.mark_all(1);
        gate.is_held = false;
        take_each(parts.requests, [&](int part) { CHECK(pair.recv.is_right(part)); });
        bundle.wait();
        pair.recv.check();
        pair.send.finish();
    }
}

TEST_CASE("a partitioned member waits when its peer's init comes late") {
    const Ring ring;
    Task gate(1);
    RecvEnd recv({3, 4}, {ring.previous, 8, MPI_COMM_WORLD, ring.previous});
    Bundle bundle({recv.request, gate.request});
    bundle.after(0, 1);
    gate.is_held = true;
    recv.prepare(0);
    bundle.start();
    turn_around();
    SendEnd send({3, 4}, {ring.next, 8, MPI_COMM_WORLD, ring.me});
    send.start(0);
    send.mark_all(1);
    turn_around();
    CHECK(!recv.has(1));
    gate.is_held = false;
    bundle.wait();
    recv.check();
    send.finish();
    recv.prepare(1);
    send.start(1);
    bundle.start();
    send.mark_all(1);
    bundle.wait();
    recv.check();
    send.finish();
}
