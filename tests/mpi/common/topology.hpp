// SPDX-License-Identifier: BSD-3-Clause
// Process topologies as lists of edges, and the rule of MPI 4.1, section 8.6, for which block goes
// where. The oracle of the neighbourhood tests: both hosts' own calls get it wrong on short
// periodic dimensions and repeated edges.
#pragma once

#include "common/check.hpp"

namespace mpitest {

struct Edge {
    int peer;  // MPI_PROC_NULL beyond the border of a grid
    int block; // the block of the sender that travels on this edge
};

struct Topology {
    MPI_Comm comm = MPI_COMM_NULL;
    std::vector<Edge> in; // in order of the receive blocks
    std::vector<int> out; // the destinations in order of the send blocks
    int out_degree_of(int rank) const { return out_degrees[static_cast<std::size_t>(rank)]; }
    std::vector<int> out_degrees;

    Topology() = default;
    Topology(Topology&& other) noexcept
        : comm(other.comm), in(std::move(other.in)), out(std::move(other.out)),
          out_degrees(std::move(other.out_degrees)) {
        other.comm = MPI_COMM_NULL;
    }
    Topology(const Topology&) = delete;
    Topology& operator=(const Topology&) = delete;
    Topology& operator=(Topology&&) = delete;
    ~Topology() {
        if (comm != MPI_COMM_NULL) MPI_Comm_free(&comm);
    }
};

// A grid of `dims` over the first processes; the others get MPI_COMM_NULL and take no part.
// Block s arrives in block s ^ 1 of its dimension, whatever the size of the dimension.
inline Topology grid(const std::vector<int>& dims, const std::vector<int>& periods) {
    Topology topology;
    const auto dimensions = static_cast<int>(dims.size());
    MPI_Cart_create(MPI_COMM_WORLD, dimensions, dims.data(), periods.data(), 0, &topology.comm);
    if (topology.comm == MPI_COMM_NULL) return topology;
    for (int d = 0; d < dimensions; d++) {
        int before = MPI_PROC_NULL, after = MPI_PROC_NULL;
        MPI_Cart_shift(topology.comm, d, 1, &before, &after);
        topology.out.push_back(before);
        topology.out.push_back(after);
        topology.in.push_back({before, 2 * d + 1});
        topology.in.push_back({after, 2 * d});
    }
    topology.out_degrees.assign(static_cast<std::size_t>(size_of(topology.comm)), 2 * dimensions);
    return topology;
}

// The lists of all ranks: what `mine` holds on each.
inline std::vector<std::vector<int>> all_lists(const std::vector<int>& mine, MPI_Comm comm) {
    const auto ranks = static_cast<std::size_t>(size_of(comm));
    std::vector<int> lengths(ranks), starts(ranks);
    const auto length = static_cast<int>(mine.size());
    MPI_Allgather(&length, 1, MPI_INT, lengths.data(), 1, MPI_INT, comm);
    int total = 0;
    for (std::size_t r = 0; r < ranks; r++) starts[r] = total, total += lengths[r];
    std::vector<int> flat(static_cast<std::size_t>(total) + 1);
    MPI_Allgatherv(mine.data(), length, MPI_INT, flat.data(), lengths.data(), starts.data(),
                   MPI_INT, comm);
    std::vector<std::vector<int>> lists(ranks);
    for (std::size_t r = 0; r < ranks; r++)
        lists[r].assign(flat.begin() + starts[r], flat.begin() + starts[r] + lengths[r]);
    return lists;
}

// The k-th edge that a process lists to another matches the k-th edge that the other lists from it.
inline void match_edges(Topology& topology, const std::vector<int>& sources,
                        const std::vector<int>& destinations) {
    const auto lists = all_lists(destinations, topology.comm);
    const int me = rank_of(topology.comm);
    std::vector<int> used(lists.size(), 0); // how far each sender's list has been read
    for (const int source : sources) {
        const auto& theirs = lists[static_cast<std::size_t>(source)];
        int& block = used[static_cast<std::size_t>(source)];
        while (theirs[static_cast<std::size_t>(block)] != me) block++;
        topology.in.push_back({source, block++});
    }
    topology.out = destinations;
    for (const auto& list : lists) topology.out_degrees.push_back(static_cast<int>(list.size()));
}

// A distributed graph from the same function on every rank: edges(r) are the destinations of rank
// r. The sources are listed in descending order, to differ from any order that an implementation
// might assume.
template<class Edges>
Topology dist_graph(Edges edges) {
    Topology topology;
    const int me = rank_of(), ranks = size_of();
    std::vector<int> sources;
    const std::vector<int> destinations = edges(me, ranks);
    for (int r = ranks - 1; r >= 0; r--)
        for (const int to : edges(r, ranks))
            if (to == me) sources.push_back(r);
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, static_cast<int>(sources.size()), sources.data(),
                                   MPI_UNWEIGHTED, static_cast<int>(destinations.size()),
                                   destinations.data(), MPI_UNWEIGHTED, MPI_INFO_NULL, 0,
                                   &topology.comm);
    match_edges(topology, sources, destinations);
    return topology;
}

// A symmetric graph in the old style; `edges` must list as many edges back as forth.
template<class Edges>
Topology graph(Edges edges) {
    Topology topology;
    const int me = rank_of(), ranks = size_of();
    std::vector<int> index, all;
    for (int r = 0; r < ranks; r++) {
        for (const int to : edges(r, ranks)) all.push_back(to);
        index.push_back(static_cast<int>(all.size()));
    }
    MPI_Graph_create(MPI_COMM_WORLD, ranks, index.data(), all.data(), 0, &topology.comm);
    const std::vector<int> mine = edges(me, ranks);
    match_edges(topology, mine, mine);
    return topology;
}

} // namespace mpitest
