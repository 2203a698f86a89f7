// SPDX-License-Identifier: BSD-3-Clause
// What MPIX_CHECK=1 finds: receive blocks that share bytes, and argument arrays that the program
// changes while the request lives. Run with that variable.
#include "common/errors.hpp"

#include <numeric>

using namespace mpitest;

namespace {

struct Exchange {
    explicit Exchange(int count)
        : counts(static_cast<std::size_t>(size_of()), count), expected(counts), from(counts.size()),
          in(counts.size() * 8, rank_of()), out(in.size()) {
        for (std::size_t i = 0; i < from.size(); i++) from[i] = static_cast<int>(8 * i);
        to = from;
    }
    int init() {
        return MPI_Alltoallv_init(in.data(), counts.data(), from.data(), MPI_INT, out.data(),
                                  expected.data(), to.data(), MPI_INT, MPI_COMM_WORLD,
                                  MPI_INFO_NULL, &request);
    }
    void check_data() const {
        for (std::size_t r = 0; r < counts.size(); r++)
            CHECK(out[static_cast<std::size_t>(to[r])] == static_cast<int>(r));
    }

    std::vector<int> counts, expected, from, to, in, out;
    MPI_Request request = MPI_REQUEST_NULL;
};

} // namespace

TEST_CASE("receive blocks that overlap are refused, with their numbers") {
    if (size_of() == 1) return;
    const ErrorsReturn guard;
    Exchange exchange(3);
    exchange.to[1] = exchange.to[0] + 2; // the last element of block 0 is the first of block 1
    check_error(exchange.init(), {MPI_ERR_BUFFER},
                {"MPI_Alltoallv_init: receive blocks 0 and 1 overlap"});
    CHECK(exchange.request == MPI_REQUEST_NULL);
    exchange.to[1] = exchange.to[0] + 3; // they touch
    CHECK_MPI(exchange.init());
    start_and_wait(exchange.request);
    exchange.check_data();
    free_request(exchange.request);
}

TEST_CASE("receive blocks that interleave are accepted, and refused where they share an element") {
    const ErrorsReturn guard;
    // A column of a matrix with a column for each rank.
    const int ranks = size_of();
    const Type column = vector_of(4, 1, ranks);
    const Type tight = resized(column, 0, sizeof(int));
    std::vector<int> mine(4, rank_of()), matrix(static_cast<std::size_t>(4 * ranks + 4));
    std::vector<int> counts(static_cast<std::size_t>(ranks), 1), where(counts.size());
    std::iota(where.begin(), where.end(), 0);
    MPI_Request request = MPI_REQUEST_NULL;
    const auto init = [&] {
        return MPI_Allgatherv_init(mine.data(), 4, MPI_INT, matrix.data(), counts.data(),
                                   where.data(), tight, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
    };
    CHECK_MPI(init());
    start_and_wait(request);
    for (int i = 0; i < 4 * ranks; i++) CHECK(matrix[static_cast<std::size_t>(i)] == i % ranks);
    free_request(request);
    if (ranks == 1) return;
    where[1] = ranks; // column 0 again, one row below
    check_error(init(), {MPI_ERR_BUFFER}, {"receive blocks 0 and 1 overlap"});
}

TEST_CASE("an array that the program has changed is found at Start") {
    const ErrorsReturn guard;
    Exchange exchange(3);
    CHECK_MPI(exchange.init());
    start_and_wait(exchange.request);
    exchange.check_data();
    const MPI_Request before = exchange.request;
    exchange.counts.back()--;
    check_error(MPI_Start(&exchange.request), {MPI_ERR_ARG},
                {"MPI_Start: sendcounts of MPI_Alltoallv_init changed since the init"});
    exchange.counts.back()++;
    exchange.to[0]++;
    check_error(MPI_Startall(1, &exchange.request), {MPI_ERR_ARG},
                {"MPI_Startall: receive displacements of MPI_Alltoallv_init changed"});
    exchange.to[0]--;
    CHECK(exchange.request == before);
    exchange.out.assign(exchange.out.size(), -1);
    start_and_wait(exchange.request); // it was inactive all the time
    exchange.check_data();
    free_request(exchange.request);
}

TEST_CASE("a partitioned collective's arrays are found when they have changed, and only then") {
    const ErrorsReturn guard;
    const auto ranks = static_cast<std::size_t>(size_of());
    std::vector<int> in(ranks * 6, rank_of()), out(in.size()), parts(ranks, 3), expected(ranks, 2);
    std::vector<MPI_Count> counts(ranks, 2), expected_counts(ranks, 3);
    std::vector<MPI_Aint> from(ranks);
    for (std::size_t i = 0; i < ranks; i++) from[i] = static_cast<MPI_Aint>(6 * i);
    MPI_Request request = MPI_REQUEST_NULL;
    CHECK_MPI(MPIX_Palltoallv_init(in.data(), parts.data(), counts.data(), from.data(), MPI_INT,
                                   out.data(), expected.data(), expected_counts.data(), from.data(),
                                   MPI_INT, MPI_COMM_WORLD, MPI_INFO_NULL, &request));
    const std::vector<int> churn(1000, 7); // takes the memory that the init gave back
    const auto run = [&] {
        CHECK_MPI(MPI_Start(&request));
        CHECK_MPI(MPI_Pready_range(0, static_cast<int>(ranks * 3) - 1, request));
        CHECK_MPI(MPI_Wait(&request, MPI_STATUS_IGNORE));
        for (std::size_t i = 0; i < out.size(); i++) CHECK(out[i] == static_cast<int>(i / 6));
    };
    run();
    counts.back()--;
    check_error(MPI_Start(&request), {MPI_ERR_ARG},
                {"MPI_Start: sendcounts of MPIX_Palltoallv_init changed since the init"});
    counts.back()++;
    expected[0]++;
    check_error(MPI_Start(&request), {MPI_ERR_ARG},
                {"MPI_Start: recvparts of MPIX_Palltoallv_init changed since the init"});
    expected[0]--;
    run();
    free_request(request);
}

TEST_CASE("so are those of a partitioned reduce-scatter") {
    const ErrorsReturn guard;
    const auto ranks = static_cast<std::size_t>(size_of());
    std::vector<int> in(ranks * 6, 1), out(6), parts(ranks, 3);
    std::vector<MPI_Count> counts(ranks, 2);
    MPI_Request request = MPI_REQUEST_NULL;
    CHECK_MPI(MPIX_Preduce_scatter_init(in.data(), out.data(), parts.data(), counts.data(), MPI_INT,
                                        MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, &request));
    const std::vector<int> churn(1000, 7);
    const auto run = [&] {
        CHECK_MPI(MPI_Start(&request));
        CHECK_MPI(MPI_Pready_range(0, static_cast<int>(ranks * 3) - 1, request));
        CHECK_MPI(MPI_Wait(&request, MPI_STATUS_IGNORE));
        for (const int sum : out) CHECK(sum == size_of());
    };
    run();
    parts[0]++;
    check_error(MPI_Start(&request), {MPI_ERR_ARG},
                {"MPI_Start: partitions of MPIX_Preduce_scatter_init changed since the init"});
    parts[0]--;
    counts[0]++;
    check_error(MPI_Start(&request), {MPI_ERR_ARG},
                {"MPI_Start: recvcounts of MPIX_Preduce_scatter_init changed since the init"});
    counts[0]--;
    run();
    free_request(request);
}
