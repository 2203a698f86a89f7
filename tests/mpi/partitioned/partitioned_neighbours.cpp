// SPDX-License-Identifier: BSD-3-Clause
// Partitioned neighbourhood collectives on grids and graphs of every shape.
#include "common/graphs.hpp"
#include "partitioned/partitioned_rounds.hpp"

using namespace mpitest;

namespace {

void check_topology(const Topology& topology, const std::vector<int>& sizes = {0, 1, 60}) {
    if (topology.comm == MPI_COMM_NULL) return;
    for (const Partitioned& row : partitioned_calls)
        for (const int granules : sizes)
            for (std::uint32_t seed = 1; row.is_neighbor() && seed <= 2; seed++)
                run_rounds({.row = &row,
                            .granules = granules,
                            .seed = seed,
                            .comm = topology.comm,
                            .topology = &topology});
}

void check_grid(const std::vector<int>& dims, const std::vector<int>& periods) {
    int needed = 1;
    for (const int dim : dims) needed *= dim;
    if (needed > size_of()) return;
    INFO(dims.size() << " dimensions, the first " << dims[0] << ", periodic " << periods[0]);
    check_topology(grid(dims, periods));
}

} // namespace

TEST_CASE("a line and a ring of processes") {
    check_grid({size_of()}, {0});
    check_grid({size_of()}, {1});
}

TEST_CASE("periodic dimensions of one, two and three processes") {
    check_grid({1}, {0});
    check_grid({1}, {1});
    check_grid({2}, {1});
    check_grid({3}, {1});
    check_grid({2, 1}, {1, 1});
}

TEST_CASE("grids of two and three dimensions") {
    check_grid({2, 2}, {0, 1});
    check_grid({2, 2}, {1, 1});
    check_grid({1, 2, 2}, {1, 1, 0});
}

TEST_CASE("a distributed graph of everyone to everyone, and a ring in one direction") {
    check_topology(dist_graph(everyone));
    check_topology(dist_graph(next_only));
}

TEST_CASE("a star whose rays send nothing, and a graph without edges") {
    check_topology(dist_graph(star));
    check_topology(dist_graph(nobody));
}

TEST_CASE("repeated edges and loops match in the order they are listed") {
    check_topology(dist_graph(repeated));
    check_topology(dist_graph(uneven));
}

TEST_CASE("graphs in the old style, also with edges listed twice") {
    check_topology(graph(both_sides));
    check_topology(graph(doubled));
}

TEST_CASE("large partitions go round a ring") { check_topology(grid({size_of()}, {1}), {4'000}); }
