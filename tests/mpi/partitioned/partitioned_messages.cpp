// SPDX-License-Identifier: BSD-3-Clause
// How many messages partitions travel in, over the host, where they can be counted.
#include "common/graphs.hpp"
#include "common/host_messages.h"
#include "partitioned/partitioned_marks.hpp"

using namespace mpitest;

namespace {

int sum_over_ranks(int mine) {
    int all = 0;
    MPI_Allreduce(&mine, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    return all;
}

// Messages of one round on all ranks.
int count_round(PartedOperation& operation, int round) {
    const int before = host_sends();
    operation.start(round);
    Marker(operation, 1).mark_all(Marking::list);
    CHECK_MPI(MPI_Wait(&operation.request, MPI_STATUS_IGNORE));
    operation.check();
    return sum_over_ranks(host_sends() - before);
}

// What this rank receives from others. A small reduction takes one message of each piece from all
// but one.
int expected_here(const PartedOperation& operation) {
    const Shapes& shapes = operation.shapes();
    int messages = 0;
    for (int s = 0; s < shapes.segments_received(); s++)
        for (const Sent& from : shapes.sources(s))
            if (from.rank != shapes.me()) messages += shapes.messages(from);
    const Flow flow = operation.about().row->flow;
    const bool is_chain = flow == Flow::scan || flow == Flow::exscan;
    if (!is_chain) return messages;
    return shapes.me() > 0 ? shapes.messages({0, 0}) : 0;
}

void check_messages(PartedCase of) {
    of.info.push_back({"mpix_transport", "host"});
    PartedOperation operation(of);
    INFO(operation.text() << ", least " << of.least << ", most " << of.most);
    const int expected = sum_over_ranks(expected_here(operation));
    for (int round = 0; round < 2; round++) CHECK(count_round(operation, round) == expected);
}

struct Joining {
    std::int64_t least, most;
};

template<class Run>
void each_joining(Run run) {
    for (const Joining& joining :
         {Joining{1, 0}, {8, 0}, {32, 0}, {40, 0}, {1, 4}, {1, 5}, {1, 1}, {20, 3}, {1'000'000, 0}})
        run(joining);
}

int count_pbcast(int partitions, MPI_Count count, const Info& info) {
    std::vector<int> data(static_cast<std::size_t>(partitions * count));
    MPI_Request request = MPI_REQUEST_NULL;
    CHECK_MPI(MPIX_Pbcast_init(data.data(), partitions, count, MPI_INT, 0, MPI_COMM_WORLD, info,
                               &request));
    const int before = host_sends();
    CHECK_MPI(MPI_Start(&request));
    if (rank_of() == 0) CHECK_MPI(MPI_Pready_range(0, partitions - 1, request));
    CHECK_MPI(MPI_Wait(&request, MPI_STATUS_IGNORE));
    const int sent = sum_over_ranks(host_sends() - before);
    free_request(request);
    return size_of() == 1 ? 0 : sent / (size_of() - 1);
}

} // namespace

TEST_CASE("as many messages as are wanted, of each collective") {
    for (const Partitioned& row : partitioned_calls) {
        // The larger ones of many ranks go other ways than one message for each piece and rank.
        if (row.is_neighbor() || row.flow == Flow::allreduce) continue;
        each_joining([&](const Joining& joining) {
            check_messages({.row = &row,
                            .granules = 2,
                            .root = size_of() - 1,
                            .seed = 11,
                            .least = joining.least,
                            .most = joining.most});
        });
    }
}

TEST_CASE("as many messages as are wanted between neighbours") {
    const Topology multiple = dist_graph(repeated), line = grid({size_of()}, {0});
    for (const Partitioned& row : partitioned_calls)
        for (const Topology* topology : {&multiple, &line})
            if (row.is_neighbor())
                each_joining([&](const Joining& joining) {
                    check_messages({.row = &row,
                                    .granules = 2,
                                    .seed = 12,
                                    .comm = topology->comm,
                                    .topology = topology,
                                    .least = joining.least,
                                    .most = joining.most});
                });
}

TEST_CASE("an allreduce goes in as many pieces as are wanted") {
    const Partitioned* row = nullptr;
    for (const Partitioned& one : partitioned_calls)
        if (one.flow == Flow::allreduce) row = &one;
    // Twelve pieces of so many units, six of twice as many, and one of each for comparison.
    const auto count = [&](int granules, int parts, std::int64_t least) {
        PartedOperation operation({.row = row,
                                   .granules = granules,
                                   .choices = {parts},
                                   .least = least,
                                   .info = {{"mpix_transport", "host"}}});
        return count_round(operation, 1);
    };
    const int one_of_12 = count(1, 1, 1), one_of_24 = count(2, 1, 1);
    CHECK(count(12, 12, 1) == 12 * one_of_12);
    CHECK(count(12, 12, 96) == 6 * one_of_24);
}

TEST_CASE("the default joins what is finer than 16 KiB, and what would be too many") {
    if (size_of() == 1) return;
    const Info none("", nullptr);
    Info host("mpix_transport", "host");
    CHECK(count_pbcast(12, 1024, host) == 3);
    CHECK(count_pbcast(12, 4096, host) == 12);
    CHECK(count_pbcast(12, 4097, host) == 12);
    CHECK(count_pbcast(1000, 1024, host) == 32);
    CHECK(count_pbcast(1, 1'000'000, host) == 1);
    CHECK(count_pbcast(7, 0, host) == 1);
}

TEST_CASE("of ranks that want different numbers the one that wants the fewest messages is heard") {
    if (size_of() == 1) return;
    Info info("mpix_transport", "host");
    const bool am_last = rank_of() == size_of() - 1;
    MPI_Info_set(info, "mpix_min_message_bytes", am_last ? "64" : "4");
    CHECK(count_pbcast(32, 4, info) == 8);
    MPI_Info_set(info, "mpix_min_message_bytes", "4");
    MPI_Info_set(info, "mpix_max_messages", am_last ? "4" : "128");
    CHECK(count_pbcast(32, 4, info) == 4);
}
