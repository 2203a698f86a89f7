// SPDX-License-Identifier: BSD-3-Clause
// Ranks that call different things. Every rank gets the same error, which names two ranks and both
// values, and what is initialised afterwards works.
#include "common/disagreement.hpp"

#include <numeric>

using namespace mpitest;

namespace {

std::vector<int> places(int ranks) {
    std::vector<int> displacements(static_cast<std::size_t>(ranks));
    for (int r = 0; r < ranks; r++) displacements[static_cast<std::size_t>(r)] = 100 * r;
    return displacements;
}

} // namespace

TEST_CASE("different operations") {
    const ErrorsReturn guard;
    int in = 0, out = 0;
    if (size_of() == 1) return;
    check_disagreement(
        [&](MPI_Request* request) {
            return am_odd_one() ? MPI_Barrier_init(MPI_COMM_WORLD, MPI_INFO_NULL, request)
                                : MPI_Allreduce_init(&in, &out, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD,
                                                     MPI_INFO_NULL, request);
        },
        MPI_ERR_OTHER,
        std::string(am_odd_one() ? "MPI_Barrier_init" : "MPI_Allreduce_init") +
            ": operation differs: rank 0 has MPI_Allreduce_init, " + last() +
            " has MPI_Barrier_init");
}

TEST_CASE("different roots") {
    const ErrorsReturn guard;
    int value = 0;
    if (size_of() == 1) return;
    check_disagreement(
        [&](MPI_Request* request) {
            return MPI_Bcast_init(&value, 1, MPI_INT, am_odd_one() ? 1 : 0, MPI_COMM_WORLD,
                                  MPI_INFO_NULL, request);
        },
        MPI_ERR_ROOT, "MPI_Bcast_init: root differs: rank 0 has 0, " + last() + " has 1");
}

TEST_CASE("different predefined reductions, and one of the program's own") {
    const ErrorsReturn guard;
    int in = 0, out = 0;
    if (size_of() == 1) return;
    MPI_Op own = MPI_OP_NULL;
    MPI_Op_create([](void*, void*, int*, MPI_Datatype*) {}, 0, &own);
    const auto init = [&](MPI_Op odd) {
        return [&in, &out, odd](MPI_Request* request) {
            return MPI_Scan_init(&in, &out, 1, MPI_INT, am_odd_one() ? odd : MPI_SUM,
                                 MPI_COMM_WORLD, MPI_INFO_NULL, request);
        };
    };
    const std::string begin = "MPI_Scan_init: op differs: rank 0 has MPI_SUM, " + last() + " has ";
    check_disagreement(init(MPI_MAX), MPI_ERR_OP, begin + "MPI_MAX");
    check_disagreement(init(own), MPI_ERR_OP, begin + "one of its own that does not commute");
    MPI_Op_free(&own);
}

TEST_CASE("different datatypes of a reduction with the same number of bytes") {
    const ErrorsReturn guard;
    std::vector<int> in(4), out(4);
    if (size_of() == 1) return;
    check_disagreement(
        [&](MPI_Request* request) {
            return MPI_Allreduce_init(in.data(), out.data(), am_odd_one() ? 2 : 4,
                                      am_odd_one() ? MPI_DOUBLE : MPI_INT, MPI_SUM, MPI_COMM_WORLD,
                                      MPI_INFO_NULL, request);
        },
        MPI_ERR_TYPE,
        "MPI_Allreduce_init: size of datatype in bytes differs: rank 0 has 4, " + last() +
            " has 8");
}

TEST_CASE("different numbers of bytes") {
    const ErrorsReturn guard;
    std::vector<int> in(4), out(4);
    if (size_of() == 1) return;
    check_disagreement(
        [&](MPI_Request* request) {
            return MPI_Reduce_init(in.data(), out.data(), am_odd_one() ? 3 : 4, MPI_INT, MPI_SUM, 0,
                                   MPI_COMM_WORLD, MPI_INFO_NULL, request);
        },
        MPI_ERR_COUNT,
        "MPI_Reduce_init: total size in bytes differs: rank 0 has 16, " + last() + " has 12");
}

TEST_CASE("in place on some ranks where it must be on all") {
    const ErrorsReturn guard;
    if (size_of() == 1) return;
    std::vector<int> in(64), out(64);
    const std::string differs = " differs: rank 0 has it not, " + last() + " has it";
    const void* send = am_odd_one() ? MPI_IN_PLACE : in.data();
    check_disagreement(
        [&](MPI_Request* request) {
            return MPI_Allgather_init(send, 1, MPI_INT, out.data(), 1, MPI_INT, MPI_COMM_WORLD,
                                      MPI_INFO_NULL, request);
        },
        MPI_ERR_BUFFER, "MPI_Allgather_init: MPI_IN_PLACE" + differs);
    check_disagreement(
        [&](MPI_Request* request) {
            return MPI_Alltoall_init(send, 1, MPI_INT, out.data(), 1, MPI_INT, MPI_COMM_WORLD,
                                     MPI_INFO_NULL, request);
        },
        MPI_ERR_BUFFER, "MPI_Alltoall_init: MPI_IN_PLACE" + differs);
}

TEST_CASE("in place on some ranks of a scan is no disagreement") {
    int in = rank_of() + 1, out = in;
    MPI_Request request = MPI_REQUEST_NULL;
    CHECK_MPI(MPI_Scan_init(am_odd_one() ? MPI_IN_PLACE : &in, &out, 1, MPI_INT, MPI_SUM,
                            MPI_COMM_WORLD, MPI_INFO_NULL, &request));
    start_and_wait(request);
    CHECK(out == (rank_of() + 1) * (rank_of() + 2) / 2);
    free_request(request);
}

TEST_CASE("blocks of gatherv, scatterv and allgatherv that differ from what is expected") {
    const ErrorsReturn guard;
    const int ranks = size_of(), me = rank_of();
    if (ranks == 1) return;
    const std::vector<int> where = places(ranks);
    std::vector<int> counts(static_cast<std::size_t>(ranks), 2), all(where.size() * 100), own(9);
    const int mine = am_odd_one() ? 3 : 2; // the root expects 2
    check_disagreement(
        [&](MPI_Request* request) {
            return MPI_Gatherv_init(own.data(), mine, MPI_INT, all.data(), counts.data(),
                                    where.data(), MPI_INT, 0, MPI_COMM_WORLD, MPI_INFO_NULL,
                                    request);
        },
        MPI_ERR_COUNT,
        "MPI_Gatherv_init: " + last() + " sends 12 bytes to rank 0, which expects 8");
    check_disagreement(
        [&](MPI_Request* request) {
            return MPI_Scatterv_init(all.data(), counts.data(), where.data(), MPI_INT, own.data(),
                                     mine, MPI_INT, 0, MPI_COMM_WORLD, MPI_INFO_NULL, request);
        },
        MPI_ERR_COUNT,
        "MPI_Scatterv_init: rank 0 sends 8 bytes to " + last() + ", which expects 12");
    // The totals agree: only the pairs differ.
    if (me == 0) std::iota(counts.begin(), counts.end(), 0);
    if (me != 0) std::iota(counts.rbegin(), counts.rend(), 0);
    check_disagreement(
        [&](MPI_Request* request) {
            return MPI_Allgatherv_init(own.data(), me, MPI_INT, all.data(), counts.data(),
                                       where.data(), MPI_INT, MPI_COMM_WORLD, MPI_INFO_NULL,
                                       request);
        },
        MPI_ERR_COUNT,
        "MPI_Allgatherv_init: rank 0 sends 0 bytes to rank 1, which expects " +
            std::to_string(4 * (ranks - 1)));
}

TEST_CASE("segments of a reduce_scatter that differ, though their sum is the same") {
    const ErrorsReturn guard;
    const int ranks = size_of();
    if (ranks == 1) return;
    std::vector<int> counts(static_cast<std::size_t>(ranks), 2), in(100), out(100);
    if (am_odd_one()) counts.front() = 1, counts.back() = 3;
    check_disagreement(
        [&](MPI_Request* request) {
            return MPI_Reduce_scatter_init(in.data(), out.data(), counts.data(), MPI_INT, MPI_SUM,
                                           MPI_COMM_WORLD, MPI_INFO_NULL, request);
        },
        MPI_ERR_COUNT,
        "MPI_Reduce_scatter_init: rank 0 sends 8 bytes to " + last() + ", which expects 12");
}

TEST_CASE("a rank that sends itself more than it expects") {
    const ErrorsReturn guard;
    std::vector<int> in(10), out(10);
    check_disagreement(
        [&](MPI_Request* request) {
            return MPI_Alltoall_init(in.data(), 10, MPI_INT, out.data(), 1, MPI_INT, MPI_COMM_SELF,
                                     MPI_INFO_NULL, request);
        },
        MPI_ERR_COUNT, "MPI_Alltoall_init: rank 0 sends 40 bytes to rank 0, which expects 4",
        MPI_COMM_SELF);
}

TEST_CASE("one rank whose two counts of a collective with one size differ") {
    const ErrorsReturn guard;
    const int ranks = size_of(), me = rank_of();
    const int count = me == ranks - 1 ? 3 : 2;
    const std::string before = "rank " + std::to_string((2 * ranks - 2) % ranks);
    std::vector<int> in(static_cast<std::size_t>(2 * ranks)),
        out(static_cast<std::size_t>(3 * ranks));
    check_disagreement(
        [&](MPI_Request* request) {
            return MPI_Alltoall_init(in.data(), 2, MPI_INT, out.data(), count, MPI_INT,
                                     MPI_COMM_WORLD, MPI_INFO_NULL, request);
        },
        MPI_ERR_COUNT,
        "MPI_Alltoall_init: " + before + " sends 8 bytes to " + last() + ", which expects 12");
    check_disagreement(
        [&](MPI_Request* request) {
            return MPI_Gather_init(in.data(), 2, MPI_INT, out.data(), count, MPI_INT, ranks - 1,
                                   MPI_COMM_WORLD, MPI_INFO_NULL, request);
        },
        MPI_ERR_COUNT,
        "MPI_Gather_init: " + last() + " sends 8 bytes to " + last() + ", which expects 12");
    check_disagreement(
        [&](MPI_Request* request) {
            return MPI_Scatter_init(in.data(), 2, MPI_INT, out.data(), 3, MPI_INT, ranks - 1,
                                    MPI_COMM_WORLD, MPI_INFO_NULL, request);
        },
        MPI_ERR_COUNT,
        "MPI_Scatter_init: " + last() + " sends 8 bytes to " + last() + ", which expects 12");
}

TEST_CASE("one block of an alltoallv that differs from what is expected") {
    const ErrorsReturn guard;
    const int ranks = size_of();
    if (ranks == 1) return;
    const std::vector<int> where = places(ranks);
    std::vector<int> sent(where.size(), 5), expected(where.size(), 5), from(where.size() * 100),
        to(from.size());
    if (am_odd_one()) sent[0] = 0;
    check_disagreement(
        [&](MPI_Request* request) {
            return MPI_Alltoallv_init(from.data(), sent.data(), where.data(), MPI_INT, to.data(),
                                      expected.data(), where.data(), MPI_INT, MPI_COMM_WORLD,
                                      MPI_INFO_NULL, request);
        },
        MPI_ERR_COUNT,
        "MPI_Alltoallv_init: " + last() + " sends 0 bytes to rank 0, which expects 20");
}

TEST_CASE("neighbours whose blocks differ, and an edge that one side alone knows") {
    const ErrorsReturn guard;
    const int ranks = size_of(), me = rank_of();
    if (ranks == 1) return;
    const int left = (me + ranks - 1) % ranks, right = (me + 1) % ranks;
    MPI_Comm ring = MPI_COMM_NULL;
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, &left, MPI_UNWEIGHTED, 1, &right,
                                   MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &ring);
    MPI_Comm_set_errhandler(ring, MPI_ERRORS_RETURN);
    std::vector<int> in(9), out(9);
    check_disagreement(
        [&](MPI_Request* request) {
            return MPI_Neighbor_alltoall_init(in.data(), am_odd_one() ? 2 : 1, MPI_INT, out.data(),
                                              1, MPI_INT, ring, MPI_INFO_NULL, request);
        },
        MPI_ERR_COUNT,
        "MPI_Neighbor_alltoall_init: " + last() + " sends 8 bytes to rank 0, which expects 4",
        ring);
    MPI_Comm_free(&ring);

    // Nobody sends along the edge from the last rank but one.
    const int edges = me == ranks - 2 ? 0 : 1;
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, &left, MPI_UNWEIGHTED, edges, &right,
                                   MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &ring);
    MPI_Comm_set_errhandler(ring, MPI_ERRORS_RETURN);
    check_disagreement(
        [&](MPI_Request* request) {
            return MPI_Neighbor_allgather_init(in.data(), 0, MPI_INT, out.data(), 0, MPI_INT, ring,
                                               MPI_INFO_NULL, request);
        },
        MPI_ERR_COUNT,
        "MPI_Neighbor_allgather_init: " + last() + " expects 0 bytes from rank " +
            std::to_string(ranks - 2) + ", which sends none",
        ring);
    MPI_Comm_free(&ring);
}

TEST_CASE("two groups that disagree") {
    const ErrorsReturn guard;
    const int ranks = size_of(), me = rank_of();
    if (ranks == 1) return;
    MPI_Comm half = MPI_COMM_NULL, both = MPI_COMM_NULL;
    const bool am_first = me == 0;
    MPI_Comm_split(MPI_COMM_WORLD, am_first, me, &half);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, am_first ? 1 : 0, 3, &both);
    MPI_Comm_set_errhandler(both, MPI_ERRORS_RETURN);
    int in = 0;
    std::vector<int> out(static_cast<std::size_t>(ranks));
    // The first group's one rank expects a block of 4 bytes from each of the others.
    const std::string from = am_first ? "rank 0 of the remote group" : "rank 0";
    const std::string to = am_first ? "rank 0" : "rank 0 of the remote group";
    check_disagreement(
        [&](MPI_Request* request) {
            return MPI_Gather_init(&in, me == 1 ? 0 : 1, MPI_INT, out.data(), 1, MPI_INT,
                                   am_first ? MPI_ROOT : 0, both, MPI_INFO_NULL, request);
        },
        MPI_ERR_COUNT, "MPI_Gather_init: " + from + " sends 0 bytes to " + to + ", which expects 4",
        both);
    check_disagreement(
        [&](MPI_Request* request) {
            return am_first ? MPI_Barrier_init(both, MPI_INFO_NULL, request)
                            : MPI_Allreduce_init(&in, out.data(), 1, MPI_INT, MPI_SUM, both,
                                                 MPI_INFO_NULL, request);
        },
        MPI_ERR_OTHER,
        [&] {
            const std::string mine = am_first ? "MPI_Barrier_init" : "MPI_Allreduce_init";
            const std::string theirs = am_first ? "MPI_Allreduce_init" : "MPI_Barrier_init";
            int number = 0;
            MPI_Comm all = MPI_COMM_NULL;
            MPI_Intercomm_merge(both, 0, &all); // the group that comes first is named first
            MPI_Comm_rank(all, &number);
            MPI_Comm_free(&all);
            const bool mine_is_first = number == rank_of(half);
            return mine + ": operation differs: " +
                   (mine_is_first
                        ? "rank 0 has " + mine + ", rank 0 of the remote group has " + theirs
                        : "rank 0 of the remote group has " + theirs + ", rank 0 has " + mine);
        }(),
        both);
    MPI_Comm_free(&both);
    MPI_Comm_free(&half);
}

TEST_CASE("a disagreement while plans are active disturbs none of them") {
    const ErrorsReturn guard;
    if (size_of() == 1) return;
    constexpr int elements = 50'000;
    std::vector<int> in(elements, rank_of()), out(elements);
    MPI_Request sum = MPI_REQUEST_NULL, none = MPI_REQUEST_NULL;
    CHECK_MPI(MPI_Allreduce_init(in.data(), out.data(), elements, MPI_INT, MPI_SUM, MPI_COMM_WORLD,
                                 MPI_INFO_NULL, &sum));
    for (int round = 0; round < 5; round++) {
        out.assign(out.size(), -1);
        CHECK_MPI(MPI_Start(&sum));
        int value = 0;
        CHECK(MPI_Bcast_init(&value, am_odd_one() ? 2 : 1, MPI_INT, 0, MPI_COMM_WORLD,
                             MPI_INFO_NULL, &none) != MPI_SUCCESS);
        CHECK_MPI(MPI_Wait(&sum, MPI_STATUS_IGNORE));
        CHECK(out.front() == size_of() * (size_of() - 1) / 2);
        CHECK(out.back() == size_of() * (size_of() - 1) / 2);
    }
    free_request(sum);
}
