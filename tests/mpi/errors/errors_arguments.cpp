// SPDX-License-Identifier: BSD-3-Clause
// Invalid arguments of an initialisation: the class the standard names, a text that names argument
// and value, an untouched request, and a program that goes on. Every rank makes the same mistake,
// so that nobody waits for anybody.
#include <functional>

#include "common/errors.hpp"

using namespace mpitest;

namespace {

int in[64], out[64];

struct Mistake {
    const char* name;
    std::initializer_list<int> classes;
    std::initializer_list<const char*> words;
    std::function<int(MPI_Request*)> call;
};

void a_valid_operation_still_works() {
    int one = 1, sum = 0;
    MPI_Request request = MPI_REQUEST_NULL;
    CHECK_MPI(MPI_Allreduce_init(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL,
                                 &request));
    start_and_wait(request);
    CHECK(sum == size_of());
    free_request(request);
}

void check_all(const std::vector<Mistake>& mistakes) {
    const ErrorsReturn guard;
    MPI_Request other = MPI_REQUEST_NULL;
    MPI_Recv_init(out, 1, MPI_INT, 0, 0, MPI_COMM_SELF, &other);
    for (const Mistake& mistake : mistakes) {
        INFO(mistake.name);
        MPI_Request request = other;
        check_error(mistake.call(&request), mistake.classes, mistake.words);
        CHECK(request == other);
    }
    MPI_Request_free(&other);
    a_valid_operation_still_works();
}

const MPI_Info no_info = MPI_INFO_NULL;

#define WORLD MPI_COMM_WORLD, no_info, r

} // namespace

TEST_CASE("negative counts are errors of the count") {
    std::vector<int> counts(static_cast<std::size_t>(size_of()), 1), displs(counts.size(), 0);
    counts.back() = -31;
    check_all({
        {"bcast",
         {MPI_ERR_COUNT},
         {"count", "-3"},
         [](auto r) { return MPI_Bcast_init(in, -3, MPI_INT, 0, WORLD); }},
        {"allreduce",
         {MPI_ERR_COUNT},
         {"count", "-4"},
         [](auto r) { return MPI_Allreduce_init(in, out, -4, MPI_INT, MPI_SUM, WORLD); }},
        {"reduce",
         {MPI_ERR_COUNT},
         {"count", "-1"},
         [](auto r) { return MPI_Reduce_init(in, out, -1, MPI_INT, MPI_SUM, 0, WORLD); }},
        {"scan",
         {MPI_ERR_COUNT},
         {"count", "-5"},
         [](auto r) { return MPI_Scan_init(in, out, -5, MPI_INT, MPI_SUM, WORLD); }},
        {"allgather, sendcount",
         {MPI_ERR_COUNT},
         {"sendcount", "-6"},
         [](auto r) { return MPI_Allgather_init(in, -6, MPI_INT, out, 1, MPI_INT, WORLD); }},
        {"allgather, recvcount",
         {MPI_ERR_COUNT},
         {"recvcount", "-7"},
         [](auto r) { return MPI_Allgather_init(in, 1, MPI_INT, out, -7, MPI_INT, WORLD); }},
        {"alltoall",
         {MPI_ERR_COUNT},
         {"sendcount", "-8"},
         [](auto r) { return MPI_Alltoall_init(in, -8, MPI_INT, out, 1, MPI_INT, WORLD); }},
        {"gather",
         {MPI_ERR_COUNT},
         {"sendcount", "-9"},
         [](auto r) { return MPI_Gather_init(in, -9, MPI_INT, out, 1, MPI_INT, 0, WORLD); }},
        {"scatter",
         {MPI_ERR_COUNT},
         {"recvcount", "-2"},
         [](auto r) { return MPI_Scatter_init(in, 1, MPI_INT, out, -2, MPI_INT, 0, WORLD); }},
        {"reduce_scatter_block",
         {MPI_ERR_COUNT},
         {"count", "-1"},
         [](auto r) {
             return MPI_Reduce_scatter_block_init(in, out, -1, MPI_INT, MPI_SUM, WORLD);
         }},
        {"reduce_scatter",
         {MPI_ERR_COUNT},
         {"recvcounts", "-31"},
         [&](auto r) {
             return MPI_Reduce_scatter_init(in, out, counts.data(), MPI_INT, MPI_SUM, WORLD);
         }},
        {"allgatherv",
         {MPI_ERR_COUNT},
         {"recvcounts", "-31"},
         [&](auto r) {
             return MPI_Allgatherv_init(in, 1, MPI_INT, out, counts.data(), displs.data(), MPI_INT,
                                        WORLD);
         }},
        {"alltoallv",
         {MPI_ERR_COUNT},
         {"sendcounts", "-31"},
         [&](auto r) {
             return MPI_Alltoallv_init(in, counts.data(), displs.data(), MPI_INT, out,
                                       displs.data(), displs.data(), MPI_INT, WORLD);
         }},
        {"bcast_c",
         {MPI_ERR_COUNT},
         {"count", "-3"},
         [](auto r) { return MPI_Bcast_init_c(in, -3, MPI_INT, 0, WORLD); }},
    });
}

TEST_CASE("counts that make more bytes than 64 bits count are errors of the count") {
    constexpr MPI_Count beyond = MPI_Count{1} << 61; // of four bytes each
    constexpr MPI_Count within = MPI_Count{1} << 60; // where there is one block, not two
    std::vector<MPI_Count> counts(static_cast<std::size_t>(size_of()), 1);
    std::vector<MPI_Aint> displs(counts.size(), 0);
    counts.back() = beyond;
    check_all({
        {"bcast_c",
         {MPI_ERR_COUNT},
         {"MPI_Bcast_init: count is 2305843009213693952, too many bytes"},
         [](auto r) { return MPI_Bcast_init_c(in, beyond, MPI_INT, 0, WORLD); }},
        {"allreduce_c",
         {MPI_ERR_COUNT},
         {"MPI_Allreduce_init: count is 2305843009213693952, too many bytes"},
         [](auto r) { return MPI_Allreduce_init_c(in, out, beyond, MPI_INT, MPI_SUM, WORLD); }},
        {"allgather_c, blocks together",
         {MPI_ERR_COUNT},
         {"MPI_Allgather_init: recvcount is 1152921504606846976, too many bytes"},
         [](auto r) { return MPI_Allgather_init_c(in, 1, MPI_INT, out, within, MPI_INT, WORLD); }},
        {"allgatherv_c",
         {MPI_ERR_COUNT},
         {"MPI_Allgatherv_init: recvcount", "2305843009213693952, too many bytes"},
         [&](auto r) {
             return MPI_Allgatherv_init_c(in, 1, MPI_INT, out, counts.data(), displs.data(),
                                          MPI_INT, WORLD);
         }},
        {"send_c",
         {MPI_ERR_COUNT},
         {"count is 2305843009213693952, too many bytes"},
         [](auto r) { return MPI_Send_init_c(in, beyond, MPI_INT, 0, 0, MPI_COMM_WORLD, r); }},
        {"recv_c",
         {MPI_ERR_COUNT},
         {"count is 2305843009213693952, too many bytes"},
         [](auto r) { return MPI_Recv_init_c(out, beyond, MPI_INT, 0, 0, MPI_COMM_WORLD, r); }},
    });
}

TEST_CASE("roots out of range are errors of the root") {
    const int ranks = size_of();
    check_all({
        {"bcast, beyond the last",
         {MPI_ERR_ROOT},
         {"root"},
         [&](auto r) { return MPI_Bcast_init(in, 1, MPI_INT, ranks, WORLD); }},
        {"bcast, negative",
         {MPI_ERR_ROOT},
         {"root", "-77"},
         [](auto r) { return MPI_Bcast_init(in, 1, MPI_INT, -77, WORLD); }},
        {"reduce",
         {MPI_ERR_ROOT},
         {"root", "9999"},
         [](auto r) { return MPI_Reduce_init(in, out, 1, MPI_INT, MPI_SUM, 9999, WORLD); }},
        {"gather",
         {MPI_ERR_ROOT},
         {"root", "9999"},
         [](auto r) { return MPI_Gather_init(in, 1, MPI_INT, out, 1, MPI_INT, 9999, WORLD); }},
        {"scatter",
         {MPI_ERR_ROOT},
         {"root", "9999"},
         [](auto r) { return MPI_Scatter_init(in, 1, MPI_INT, out, 1, MPI_INT, 9999, WORLD); }},
        {"bcast_c",
         {MPI_ERR_ROOT},
         {"root", "9999"},
         [](auto r) { return MPI_Bcast_init_c(in, 1, MPI_INT, 9999, WORLD); }},
    });
}

TEST_CASE("the null communicator is an error of the communicator") {
    check_all({
        {"barrier",
         {MPI_ERR_COMM},
         {"comm"},
         [](auto r) { return MPI_Barrier_init(MPI_COMM_NULL, no_info, r); }},
        {"bcast",
         {MPI_ERR_COMM},
         {"comm"},
         [](auto r) { return MPI_Bcast_init(in, 1, MPI_INT, 0, MPI_COMM_NULL, no_info, r); }},
        {"allreduce",
         {MPI_ERR_COMM},
         {"comm"},
         [](auto r) {
             return MPI_Allreduce_init(in, out, 1, MPI_INT, MPI_SUM, MPI_COMM_NULL, no_info, r);
         }},
    });
}

TEST_CASE("datatypes that are null or not committed are errors of the type") {
    MPI_Datatype raw = MPI_DATATYPE_NULL;
    MPI_Type_contiguous(2, MPI_INT, &raw);
    check_all({
        {"bcast, null",
         {MPI_ERR_TYPE},
         {"datatype", "MPI_DATATYPE_NULL"},
         [](auto r) { return MPI_Bcast_init(in, 1, MPI_DATATYPE_NULL, 0, WORLD); }},
        {"allreduce, null",
         {MPI_ERR_TYPE},
         {"datatype", "MPI_DATATYPE_NULL"},
         [](auto r) { return MPI_Allreduce_init(in, out, 1, MPI_DATATYPE_NULL, MPI_SUM, WORLD); }},
        {"allgather, send null",
         {MPI_ERR_TYPE},
         {"sendtype", "MPI_DATATYPE_NULL"},
         [](auto r) {
             return MPI_Allgather_init(in, 1, MPI_DATATYPE_NULL, out, 1, MPI_INT, WORLD);
         }},
        {"alltoall, receive null",
         {MPI_ERR_TYPE},
         {"recvtype", "MPI_DATATYPE_NULL"},
         [](auto r) {
             return MPI_Alltoall_init(in, 1, MPI_INT, out, 1, MPI_DATATYPE_NULL, WORLD);
         }},
        {"bcast, not committed",
         {MPI_ERR_TYPE},
         {"datatype", "commit"},
         [&](auto r) { return MPI_Bcast_init(in, 1, raw, 0, WORLD); }},
        {"allgather, not committed",
         {MPI_ERR_TYPE},
         {"sendtype", "commit"},
         [&](auto r) { return MPI_Allgather_init(in, 1, raw, out, 2, MPI_INT, WORLD); }},
    });
    MPI_Type_free(&raw);
}

TEST_CASE("a datatype with a negative extent is an error of the type in a reduction") {
    const Type backwards = resized(MPI_INT, 0, -4);
    std::vector<int> counts(static_cast<std::size_t>(size_of()), 1);
    MPI_Op own = MPI_OP_NULL;
    MPI_Op_create([](void*, void*, int*, MPI_Datatype*) {}, 1, &own);
    check_all({
        {"allreduce",
         {MPI_ERR_TYPE},
         {"datatype has a negative extent"},
         [&](auto r) { return MPI_Allreduce_init(in, out, 2, backwards, own, WORLD); }},
        {"reduce",
         {MPI_ERR_TYPE},
         {"datatype has a negative extent"},
         [&](auto r) { return MPI_Reduce_init(in, out, 2, backwards, own, 0, WORLD); }},
        {"reduce_scatter",
         {MPI_ERR_TYPE},
         {"datatype has a negative extent"},
         [&](auto r) {
             return MPI_Reduce_scatter_init(in, out, counts.data(), backwards, own, WORLD);
         }},
    });
    MPI_Op_free(&own);
}

TEST_CASE("operations that are null or not defined on the type are errors of the operation") {
    check_all({
        {"allreduce, null",
         {MPI_ERR_OP},
         {"op", "MPI_OP_NULL"},
         [](auto r) { return MPI_Allreduce_init(in, out, 1, MPI_INT, MPI_OP_NULL, WORLD); }},
        {"reduce, null",
         {MPI_ERR_OP},
         {"op", "MPI_OP_NULL"},
         [](auto r) { return MPI_Reduce_init(in, out, 1, MPI_INT, MPI_OP_NULL, 0, WORLD); }},
        {"exscan, null",
         {MPI_ERR_OP},
         {"op", "MPI_OP_NULL"},
         [](auto r) { return MPI_Exscan_init(in, out, 1, MPI_INT, MPI_OP_NULL, WORLD); }},
        {"allreduce, bits of a double",
         {MPI_ERR_OP},
         {"op"},
         [](auto r) { return MPI_Allreduce_init(in, out, 1, MPI_DOUBLE, MPI_BAND, WORLD); }},
    });
}

TEST_CASE("MPI_IN_PLACE where it is not allowed is an error of the buffer") {
    check_all({
        {"bcast",
         {MPI_ERR_BUFFER, MPI_ERR_ARG},
         {"buf", "MPI_IN_PLACE"},
         [](auto r) { return MPI_Bcast_init(MPI_IN_PLACE, 1, MPI_INT, 0, WORLD); }},
        {"allreduce, recvbuf",
         {MPI_ERR_BUFFER, MPI_ERR_ARG},
         {"recvbuf", "MPI_IN_PLACE"},
         [](auto r) { return MPI_Allreduce_init(in, MPI_IN_PLACE, 1, MPI_INT, MPI_SUM, WORLD); }},
        {"allgather, recvbuf",
         {MPI_ERR_BUFFER, MPI_ERR_ARG},
         {"recvbuf", "MPI_IN_PLACE"},
         [](auto r) {
             return MPI_Allgather_init(in, 1, MPI_INT, MPI_IN_PLACE, 1, MPI_INT, WORLD);
         }},
    });
}

TEST_CASE("neighbourhood collectives need a topology") {
    check_all({
        {"neighbor_allgather",
         {MPI_ERR_TOPOLOGY},
         {"topology"},
         [](auto r) {
             return MPI_Neighbor_allgather_init(in, 1, MPI_INT, out, 1, MPI_INT, WORLD);
         }},
        {"neighbor_alltoall",
         {MPI_ERR_TOPOLOGY},
         {"topology"},
         [](auto r) { return MPI_Neighbor_alltoall_init(in, 1, MPI_INT, out, 1, MPI_INT, WORLD); }},
    });
}
