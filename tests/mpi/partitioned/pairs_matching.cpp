// SPDX-License-Identifier: BSD-3-Clause
// Which partitioned send meets which receive: the k-th of an envelope the k-th, whatever was made
// before, after or between on other communicators, with other tags, and whatever was freed.
#include "common/plans.hpp"
#include "partitioned/pairs.hpp"

#include "collectives/intercommunicators.hpp"

using namespace mpitest;

namespace {

// Ends of the pairs of one family: round a ring of the communicator, with a salt for each.
struct Family {
    MPI_Comm comm;
    int tag = 0, family = 0;

    int next() const { return (rank_of(comm) + 1) % size_of(comm); }
    int previous() const { return (rank_of(comm) + size_of(comm) - 1) % size_of(comm); }
    int salt(int sender, int number) const { return family * 1000 + sender * 100 + number; }
    std::unique_ptr<SendEnd> send(int number) const {
        return std::make_unique<SendEnd>(Cut{2, 3},
                                         Envelope{next(), tag, comm, salt(rank_of(comm), number)});
    }
    std::unique_ptr<RecvEnd> recv(int number) const {
        return std::make_unique<RecvEnd>(Cut{3, 2},
                                         Envelope{previous(), tag, comm, salt(previous(), number)});
    }
};

// The inits of all families by turns, each family in its order; ranks take turns differently.
void make_interleaved(const std::vector<Family>& families, int each, std::uint32_t seed,
                      Sends& sends, Recvs& recvs) {
    Random random(mix(seed, static_cast<std::uint32_t>(rank_of())));
    struct Left {
        std::size_t family;
        bool sends;
        int next;
    };
    std::vector<Left> left;
    for (std::size_t i = 0; i < families.size(); i++)
        for (const bool is_send : {true, false}) left.push_back({i, is_send, 0});
    while (!left.empty()) {
        const std::size_t at = random() % left.size();
        Left& line = left[at];
        const Family& family = families[line.family];
        if (line.sends)
            sends.push_back(family.send(line.next));
        else
            recvs.push_back(family.recv(line.next));
        if (++line.next == each) left.erase(left.begin() + static_cast<std::ptrdiff_t>(at));
        // Some letters come before, some between the inits.
        int flag = 0;
        if (random() % 4 == 0 && !recvs.empty())
            CHECK_MPI(MPI_Test(&recvs[0]->request, &flag, MPI_STATUS_IGNORE));
    }
}

void run_families(const std::vector<Family>& families, int each, int rounds = 3) {
    for (std::uint32_t seed = 1; seed <= 3; seed++) {
        INFO("seed " << seed);
        Sends sends;
        Recvs recvs;
        make_interleaved(families, each, seed, sends, recvs);
        run_rounds(sends, recvs, rounds);
    }
}

MPI_Comm part_of_world(int color) {
    MPI_Comm part = MPI_COMM_NULL;
    CHECK_MPI(MPI_Comm_split(MPI_COMM_WORLD, color, rank_of(), &part));
    return part;
}

// The last ranks first.
MPI_Comm reversed() {
    MPI_Comm comm = MPI_COMM_NULL;
    CHECK_MPI(MPI_Comm_split(MPI_COMM_WORLD, 0, -rank_of(), &comm));
    return comm;
}

} // namespace

TEST_CASE("equal envelopes meet in the order of their inits") {
    run_families({{MPI_COMM_WORLD, 0, 1}}, 20);
}

TEST_CASE("the inits of other tags do not matter") {
    run_families({{MPI_COMM_WORLD, 0, 1}, {MPI_COMM_WORLD, 1, 2}, {MPI_COMM_WORLD, 77, 3}}, 7);
}

TEST_CASE("nor those of other communicators, with the same processes or with others") {
    MPI_Comm copy = duplicate(), second = duplicate(copy), halves = part_of_world(rank_of() % 2),
             back = reversed();
    run_families({{MPI_COMM_WORLD, 5, 1},
                  {copy, 5, 2},
                  {second, 5, 3},
                  {halves, 5, 4},
                  {back, 5, 5},
                  {MPI_COMM_SELF, 5, 6}},
                 5);
    for (MPI_Comm* comm : {&copy, &second, &halves, &back}) free_comm(*comm);
}

TEST_CASE("communicators that come and go do not meet those before them") {
    for (int i = 0; i < 10; i++) {
        MPI_Comm copy = duplicate();
        Sends sends;
        Recvs recvs;
        make_interleaved({{copy, 0, i}, {MPI_COMM_WORLD, 0, i + 20}}, 3,
                         static_cast<std::uint32_t>(i), sends, recvs);
        free_comm(copy); // the ends outlive it
        run_rounds(sends, recvs, 2);
    }
}

TEST_CASE("ends that are freed before they begin take nobody's turn") {
    const Family family{MPI_COMM_WORLD, 2, 1};
    for (const bool are_matched : {true, false}) {
        Sends sends;
        Recvs recvs;
        for (int i = 0; i < 12; i++) {
            sends.push_back(family.send(i));
            recvs.push_back(family.recv(i));
            if (i % 3 != 1) continue;
            int flag = 0;
            for (int turn = 0; are_matched && turn < 200; turn++)
                CHECK_MPI(MPI_Test(&recvs[0]->request, &flag, MPI_STATUS_IGNORE));
            sends.pop_back();
            recvs.pop_back();
        }
        run_rounds(sends, recvs, 3);
    }
}

TEST_CASE("one end is freed before the other end is made") {
    const Family family{MPI_COMM_WORLD, 3, 2};
    for (int i = 0; i < 8; i++) {
        for (const bool is_send : {i % 2 == 0, i % 2 != 0}) {
            if (is_send)
                family.send(i);
            else
                family.recv(i);
            CHECK_MPI(MPI_Barrier(MPI_COMM_WORLD)); // it is gone on all ranks
        }
    }
    Sends sends;
    Recvs recvs;
    sends.push_back(family.send(50));
    recvs.push_back(family.recv(50));
    run_rounds(sends, recvs, 5);
}

TEST_CASE("rounds that were completed, requests freed, and new ones with the same envelope") {
    const Family family{MPI_COMM_WORLD, 4, 3};
    for (int i = 0; i < 100; i++) {
        Sends sends;
        Recvs recvs;
        sends.push_back(family.send(i));
        recvs.push_back(family.recv(i));
        run_rounds(sends, recvs, i % 3 + 1);
    }
}

TEST_CASE("a fast sender may be many pairs ahead of its receiver") {
    const Ring ring;
    if (ring.ranks == 1) return;
    const Family family{MPI_COMM_WORLD, 5, 4};
    Sends sends;
    Recvs recvs;
    for (int i = 0; i < 30; i++) {
        sends.push_back(family.send(i));
        sends.back()->start(0);
        sends.back()->mark_all(static_cast<std::uint32_t>(i));
    }
    CHECK_MPI(MPI_Barrier(MPI_COMM_WORLD));
    for (int i = 0; i < 30; i++) {
        recvs.push_back(family.recv(i));
        recvs.back()->start(0);
    }
    for (auto& end : recvs) end->finish();
    for (auto& end : sends) end->finish();
    run_rounds(sends, recvs, 2);
}

TEST_CASE("between two groups, in both directions at once") {
    for_all_groups([](const Groups& groups) {
        Sends sends;
        Recvs recvs;
        const auto salt = [&](int group, int from, int to, int k) {
            return group * 1000 + from * 100 + to * 10 + k;
        };
        for (int k = 0; k < 3; k++)
            for (int peer = 0; peer < groups.remote; peer++) {
                sends.push_back(std::make_unique<SendEnd>(
                    Cut{2, 6},
                    Envelope{peer, 8, groups.between, salt(groups.number(), groups.me, peer, k)}));
                recvs.push_back(std::make_unique<RecvEnd>(
                    Cut{4, 3},
                    Envelope{peer, 8, groups.between, salt(groups.other(), peer, groups.me, k)}));
            }
        run_rounds(sends, recvs, 4);
        MPI_Status status = spoiled_status();
        recvs.front()->start(9);
        for (auto& end : sends) end->start(9);
        for (auto& end : sends) end->mark_all(9);
        for (std::size_t i = 1; i < recvs.size(); i++) recvs[i]->start(9);
        recvs.front()->finish(status);
        CHECK(status.MPI_SOURCE == 0); // of the other group
        for (std::size_t i = 1; i < recvs.size(); i++) recvs[i]->finish();
        for (auto& end : sends) end->finish();
    });
}
