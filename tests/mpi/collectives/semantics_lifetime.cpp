// SPDX-License-Identifier: BSD-3-Clause
// What the program may free or overwrite right after the initialisation, and handles converted to
// Fortran and back.
#include "common/check.hpp"

using namespace mpitest;

namespace {

void add_ints(void* in, void* inout, int* length, MPI_Datatype*) {
    for (int i = 0; i < *length; i++) static_cast<int*>(inout)[i] += static_cast<int*>(in)[i];
}

// Uses up freed memory and freed handles, so that a stale one is noticed.
void disturb() {
    for (int i = 0; i < 20; i++) {
        MPI_Op op = MPI_OP_NULL;
        MPI_Op_create(&add_ints, 1, &op);
        MPI_Datatype type = MPI_DATATYPE_NULL;
        MPI_Type_vector(2, 1, 5 + i, MPI_CHAR, &type);
        MPI_Type_commit(&type);
        MPI_Op_free(&op);
        MPI_Type_free(&type);
    }
    std::vector<std::vector<char>> garbage(50, std::vector<char>(300, 'x'));
    CHECK(garbage.back().back() == 'x');
}

// MPI 5 names what its ABI has instead, as that has no MPI_Fint.
#if MPI_VERSION >= 5
const auto number_of = MPI_Request_toint;
const auto request_of = MPI_Request_fromint;
#else
int number_of(MPI_Request request) { return MPI_Request_c2f(request); }
MPI_Request request_of(int number) { return MPI_Request_f2c(number); }
#endif

} // namespace

TEST_CASE("the operation may be freed right after the initialisation") {
    MPI_Op op = MPI_OP_NULL;
    MPI_Op_create(&add_ints, 1, &op);
    std::vector<int> in(100), out(100);
    MPI_Request request = MPI_REQUEST_NULL;
    CHECK_MPI(MPI_Allreduce_init(in.data(), out.data(), 100, MPI_INT, op, MPI_COMM_WORLD,
                                 MPI_INFO_NULL, &request));
    CHECK_MPI(MPI_Op_free(&op));
    CHECK(op == MPI_OP_NULL);
    disturb();
    for (int round = 0; round < 3; round++) {
        in.assign(100, round + 1);
        start_and_wait(request);
        CHECK(out == std::vector<int>(100, (round + 1) * size_of()));
    }
    free_request(request);
}

TEST_CASE("the datatype may be freed right after the initialisation") {
    MPI_Datatype gaps = MPI_DATATYPE_NULL;
    MPI_Type_vector(2, 1, 2, MPI_INT, &gaps);
    MPI_Type_commit(&gaps);
    std::vector<int> data(300, -1);
    MPI_Request request = MPI_REQUEST_NULL;
    CHECK_MPI(MPI_Bcast_init(data.data(), 100, gaps, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &request));
    CHECK_MPI(MPI_Type_free(&gaps));
    disturb();
    for (int round = 0; round < 3; round++) {
        for (std::size_t i = 0; i < data.size(); i++)
            data[i] = rank_of() == 0 ? round + static_cast<int>(i) : -7;
        start_and_wait(request);
        for (std::size_t i = 0; i < 300; i++) {
            const bool gap = i % 3 == 1;
            const int expected = gap && rank_of() != 0 ? -7 : round + static_cast<int>(i);
            CHECK(data[i] == expected);
        }
    }
    free_request(request);
}

TEST_CASE("the datatypes of an alltoallw may be freed, its arrays overwritten") {
    const int me = rank_of(), ranks = size_of();
    const auto n = static_cast<std::size_t>(ranks);
    std::vector<int> in(2 * n), out(2 * n), counts(n, 1), offsets(n);
    std::vector<MPI_Datatype> types(n);
    for (std::size_t r = 0; r < n; r++) {
        offsets[r] = static_cast<int>(r * 2 * sizeof(int));
        MPI_Type_contiguous(2, MPI_INT, &types[r]);
        MPI_Type_commit(&types[r]);
    }
    MPI_Request request = MPI_REQUEST_NULL;
    CHECK_MPI(MPI_Alltoallw_init(in.data(), counts.data(), offsets.data(), types.data(), out.data(),
                                 counts.data(), offsets.data(), types.data(), MPI_COMM_WORLD,
                                 MPI_INFO_NULL, &request));
    for (auto& type : types) MPI_Type_free(&type);
    counts.assign(n, -1000);
    offsets.assign(n, -1);
    disturb();
    for (int round = 0; round < 3; round++) {
        for (std::size_t i = 0; i < in.size(); i++)
            in[i] = round * 1000 + me * 100 + static_cast<int>(i);
        start_and_wait(request);
        for (int r = 0; r < ranks; r++)
            CHECK(out[static_cast<std::size_t>(2 * r + 1)] == round * 1000 + r * 100 + 2 * me + 1);
    }
    free_request(request);
}

TEST_CASE("count and displacement arrays may be overwritten after the initialisation") {
    const int me = rank_of(), ranks = size_of();
    const auto n = static_cast<std::size_t>(ranks);
    std::vector<int> in(2 * n), out(3 * n), counts(n, 2), displs(n);
    for (std::size_t r = 0; r < n; r++) displs[r] = static_cast<int>(3 * r);
    MPI_Request gather = MPI_REQUEST_NULL, scatter = MPI_REQUEST_NULL;
    CHECK_MPI(MPI_Allgatherv_init(in.data(), 2, MPI_INT, out.data(), counts.data(), displs.data(),
                                  MPI_INT, MPI_COMM_WORLD, MPI_INFO_NULL, &gather));
    std::vector<int> sum(2);
    CHECK_MPI(MPI_Reduce_scatter_init(in.data(), sum.data(), counts.data(), MPI_INT, MPI_SUM,
                                      MPI_COMM_WORLD, MPI_INFO_NULL, &scatter));
    counts.assign(n, 1 << 30);
    displs.assign(n, -5);
    for (int round = 0; round < 3; round++) {
        for (std::size_t i = 0; i < in.size(); i++) in[i] = round + me + 10 * static_cast<int>(i);
        out.assign(3 * n, -1);
        start_and_wait(gather);
        start_and_wait(scatter);
        for (int r = 0; r < ranks; r++) {
            CHECK(out[static_cast<std::size_t>(3 * r + 1)] == round + r + 10);
            CHECK(out[static_cast<std::size_t>(3 * r + 2)] == -1);
        }
        CHECK(sum[1] == ranks * (round + 10 * (2 * me + 1)) + ranks * (ranks - 1) / 2);
    }
    free_request(gather);
    free_request(scatter);
}

TEST_CASE("the communicator may be freed right after the initialisation") {
    MPI_Comm copy = MPI_COMM_NULL;
    CHECK_MPI(MPI_Comm_dup(MPI_COMM_WORLD, &copy));
    int in = 0, out = 0, told = 0;
    MPI_Request sum = MPI_REQUEST_NULL, bcast = MPI_REQUEST_NULL;
    CHECK_MPI(MPI_Allreduce_init(&in, &out, 1, MPI_INT, MPI_SUM, copy, MPI_INFO_NULL, &sum));
    CHECK_MPI(MPI_Bcast_init(&told, 1, MPI_INT, size_of() - 1, copy, MPI_INFO_NULL, &bcast));
    CHECK_MPI(MPI_Comm_free(&copy));
    CHECK(copy == MPI_COMM_NULL);
    MPI_Comm other = MPI_COMM_NULL; // may take the place of the freed one
    CHECK_MPI(MPI_Comm_dup(MPI_COMM_WORLD, &other));
    for (int round = 0; round < 3; round++) {
        in = round + 1;
        told = rank_of() == size_of() - 1 ? round : -1;
        CHECK_MPI(MPI_Start(&bcast));
        start_and_wait(sum);
        CHECK_MPI(MPI_Wait(&bcast, MPI_STATUS_IGNORE));
        CHECK(out == (round + 1) * size_of());
        CHECK(told == round);
    }
    CHECK_MPI(MPI_Comm_free(&other));
    free_request(sum);
    free_request(bcast);
}

TEST_CASE("the info may be freed right after the initialisation, unknown keys are ignored") {
    MPI_Info info = MPI_INFO_NULL;
    MPI_Info_create(&info);
    MPI_Info_set(info, "no_such_key", "no such value");
    int in = 3, out = 0;
    MPI_Request request = MPI_REQUEST_NULL;
    CHECK_MPI(MPI_Allreduce_init(&in, &out, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD, info, &request));
    CHECK_MPI(MPI_Info_free(&info));
    start_and_wait(request);
    CHECK(out == 3);
    free_request(request);
}

TEST_CASE("a handle converted to a Fortran integer and back is the same request") {
    int in = rank_of() + 1, out = 0;
    MPI_Request request = MPI_REQUEST_NULL;
    CHECK_MPI(MPI_Allreduce_init(&in, &out, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD, MPI_INFO_NULL,
                                 &request));
    const int number = number_of(request);
    MPI_Request again = request_of(number);
    for (int round = 0; round < 3; round++) {
        in = round * 10 + rank_of();
        CHECK_MPI(MPI_Start(&again));
        CHECK_MPI(MPI_Wait(&again, MPI_STATUS_IGNORE));
        CHECK(out == round * 10 + size_of() - 1);
    }
    CHECK(number_of(again) == number);
    free_request(again);
}

TEST_CASE("a copied handle works as well as the first one") {
    int in = 1, out = 0;
    MPI_Request request = MPI_REQUEST_NULL;
    CHECK_MPI(MPI_Allreduce_init(&in, &out, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL,
                                 &request));
    MPI_Request copy = request;
    CHECK_MPI(MPI_Start(&request));
    CHECK_MPI(MPI_Wait(&copy, MPI_STATUS_IGNORE));
    CHECK(out == size_of());
    CHECK(copy == request);
    free_request(copy);
}
