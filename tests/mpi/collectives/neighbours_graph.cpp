// SPDX-License-Identifier: BSD-3-Clause
// Neighbourhood collectives on graphs: asymmetric ones, repeated edges, loops, processes without
// neighbours.
#include "collectives/neighbours.hpp"
#include "common/graphs.hpp"

using namespace mpitest;

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
