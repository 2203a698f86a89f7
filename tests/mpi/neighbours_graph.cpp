// SPDX-License-Identifier: BSD-3-Clause
// Neighbourhood collectives on graphs: asymmetric ones, repeated edges, loops, processes without
// neighbours.
#include "neighbours.hpp"

using namespace mpitest;

namespace {

std::vector<int> everyone(int, int ranks) {
    std::vector<int> all;
    for (int r = 0; r < ranks; r++) all.push_back(r);
    return all;
}

std::vector<int> next_only(int me, int ranks) { return {(me + 1) % ranks}; }

std::vector<int> star(int me, int ranks) {
    if (me != 0) return {};
    return everyone(me, ranks);
}

std::vector<int> repeated(int me, int ranks) {
    const int next = (me + 1) % ranks, previous = (me + ranks - 1) % ranks;
    return {next, previous, next, me, next, previous, me};
}

std::vector<int> uneven(int me, int ranks) {
    std::vector<int> to;
    for (int k = 0; k < me + 1; k++) to.push_back((me * k + k) % ranks);
    return to;
}

std::vector<int> nobody(int, int) { return {}; }

// Symmetric, with every edge between two different processes listed twice and one loop.
std::vector<int> doubled(int me, int ranks) {
    std::vector<int> to{me};
    for (int pass = 0; pass < 2; pass++)
        for (int r = 0; r < ranks; r++)
            if (r != me) to.push_back(r);
    return to;
}

std::vector<int> both_sides(int me, int ranks) {
    if (ranks == 1) return {0};
    if (ranks == 2) return {1 - me};
    return {(me + 1) % ranks, (me + ranks - 1) % ranks};
}

} // namespace

TEST_CASE("a distributed graph of everyone to everyone") {
    check_neighbourhoods(dist_graph(everyone));
}

TEST_CASE("a directed ring") { check_neighbourhoods(dist_graph(next_only)); }

TEST_CASE("a star whose rays send nothing") { check_neighbourhoods(dist_graph(star)); }

TEST_CASE("repeated edges and loops match in the order they are listed") {
    check_neighbourhoods(dist_graph(repeated));
}

TEST_CASE("processes with different numbers of edges") { check_neighbourhoods(dist_graph(uneven)); }

TEST_CASE("a graph without edges") { check_neighbourhoods(dist_graph(nobody)); }

TEST_CASE("a symmetric graph in the old style") { check_neighbourhoods(graph(both_sides)); }

TEST_CASE("a symmetric graph in the old style with edges listed twice") {
    check_neighbourhoods(graph(doubled));
}

TEST_CASE("a graph made from edges that other processes named") {
    // Rank 0 alone names the edges of a ring in both directions; the hosts choose the order of the
    // lists.
    const int ranks = size_of();
    std::vector<int> sources, degrees, destinations;
    if (rank_of() == 0)
        for (int r = 0; r < ranks; r++) {
            sources.push_back(r);
            degrees.push_back(2);
            destinations.push_back((r + 1) % ranks);
            destinations.push_back((r + ranks - 1) % ranks);
        }
    Topology topology;
    MPI_Dist_graph_create(MPI_COMM_WORLD, static_cast<int>(sources.size()), sources.data(),
                          degrees.data(), destinations.data(), MPI_UNWEIGHTED, MPI_INFO_NULL, 0,
                          &topology.comm);
    std::vector<int> in(2), out(2), in_weights(2), out_weights(2);
    MPI_Dist_graph_neighbors(topology.comm, 2, in.data(), in_weights.data(), 2, out.data(),
                             out_weights.data());
    match_edges(topology, in, out);
    check_neighbourhoods(topology);
}
