// SPDX-License-Identifier: BSD-3-Clause
//
// Who the neighbours are. MPI 4.1 section 8.6: on a graph the k-th edge to a process matches the
// k-th edge from it. In a Cartesian dimension a block sent to the left arrives in the right block
// of the neighbour and the other way round, which matters where both neighbours are one process:
// taking the sources right before left says it in terms of edges.
#include "collective/neighborhood.hpp"

#include "host/failure.hpp"

namespace mpix::collective {
namespace {

void add(std::vector<Neighbor>& edges, int rank, std::size_t block) {
    if (rank != MPI_PROC_NULL) edges.push_back({rank, block});
}

Neighborhood cartesian(MPI_Comm comm) {
    int dimensions = 0;
    host::check_raised(HOST(Cartdim_get)(comm, &dimensions));
    Neighborhood found;
    for (int d = 0; d < dimensions; ++d) {
        int left = MPI_PROC_NULL, right = MPI_PROC_NULL;
        host::check_raised(HOST(Cart_shift)(comm, d, 1, &left, &right));
        const auto block = 2 * static_cast<std::size_t>(d);
        add(found.destinations, left, block);
        add(found.destinations, right, block + 1);
        add(found.sources, right, block + 1);
        add(found.sources, left, block);
    }
    found.indegree = found.outdegree = 2 * static_cast<std::size_t>(dimensions);
    return found;
}

Neighborhood from_lists(const std::vector<int>& sources, const std::vector<int>& destinations) {
    Neighborhood found;
    found.indegree = sources.size();
    found.outdegree = destinations.size();
    for (std::size_t i = 0; i < sources.size(); ++i) add(found.sources, sources[i], i);
    for (std::size_t i = 0; i < destinations.size(); ++i)
        add(found.destinations, destinations[i], i);
    return found;
}

Neighborhood graph(MPI_Comm comm) {
    int rank = 0, degree = 0;
    host::check_raised(HOST(Comm_rank)(comm, &rank));
    host::check_raised(HOST(Graph_neighbors_count)(comm, rank, &degree));
    std::vector<int> neighbors(static_cast<std::size_t>(degree));
    host::check_raised(HOST(Graph_neighbors)(comm, rank, degree, neighbors.data()));
    return from_lists(neighbors, neighbors);
}

Neighborhood distributed_graph(MPI_Comm comm) {
    int in = 0, out = 0, weighted = 0;
    host::check_raised(HOST(Dist_graph_neighbors_count)(comm, &in, &out, &weighted));
    std::vector<int> sources(static_cast<std::size_t>(in)), in_weights(sources.size());
    std::vector<int> destinations(static_cast<std::size_t>(out)), out_weights(destinations.size());
    host::check_raised(HOST(Dist_graph_neighbors)(
        comm, in, sources.data(), weighted ? in_weights.data() : MPI_UNWEIGHTED, out,
        destinations.data(), weighted ? out_weights.data() : MPI_UNWEIGHTED));
    return from_lists(sources, destinations);
}

} // namespace

Neighborhood neighborhood(MPI_Comm comm) {
    int topology = MPI_UNDEFINED;
    host::check_raised(host::here().topology_of(comm, &topology));
    switch (topology) {
    case MPI_CART: return cartesian(comm);
    case MPI_GRAPH: return graph(comm);
    case MPI_DIST_GRAPH: return distributed_graph(comm);
    default:
        throw host::Failure{host::error_code(MPI_ERR_TOPOLOGY, "comm has no process topology")};
    }
}

} // namespace mpix::collective
