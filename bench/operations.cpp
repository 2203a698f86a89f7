// SPDX-License-Identifier: BSD-3-Clause
#include "operations.hpp"

#include <algorithm>
#include <string>

namespace mpix::bench {

namespace {

// One collective's functions. All four take the same arguments and then a request or none.
template<class Blocking, class Nonblocking, class Init>
struct Family {
    Blocking* blocking;
    Nonblocking* nonblocking;
    Init* host_init;
    Init* mpix_init;

    template<class... Arguments>
    Calls with(Arguments... arguments) const {
        const auto init = [=](Init* function) {
            return [=](MPI_Request* request) {
                return function(arguments..., MPI_INFO_NULL, request);
            };
        };
        Calls calls;
        calls.blocking = [=, call = blocking] { return call(arguments...); };
        calls.nonblocking = [=, call = nonblocking](MPI_Request* request) {
            return call(arguments..., request);
        };
        if (host_init) calls.host_init = init(host_init);
        calls.mpix_init = init(mpix_init);
        return calls;
    }
};

} // namespace

// FAMILY(Bcast, bcast): the host's PMPI_Bcast, PMPI_Ibcast, PMPI_Bcast_init and our MPI_Bcast_init.
#define FAMILY(name, lower)                                                                        \
    (Family<decltype(MPI_##name), decltype(MPI_I##lower), decltype(MPI_##name##_init)>{            \
        host.find<decltype(MPI_##name)>(#name), host.find<decltype(MPI_I##lower)>("I" #lower),     \
        host.find<decltype(MPI_##name##_init)>(#name "_init"), &MPI_##name##_init})

namespace {

using Host = const HostLibrary&;
using At = const Ranks&;
using Data = const Buffers&;
MPI_Datatype real() { return MPI_DOUBLE; }

int none(Place) { return 0; }
int one(Place) { return 1; }
int two(Place) { return 2; }
int all(Place place) { return place.ranks; }
int one_at_root(Place place) { return place.rank == 0 ? 1 : 0; }
int all_at_root(Place place) { return place.rank == 0 ? place.ranks : 0; }
int one_after_first(Place place) { return place.rank == 0 ? 0 : 1; }

Source from_root(Place, int block) { return {0, 1, block}; }
Source mine_from_root(Place place, int) { return {0, 1, place.rank}; }
Source from_each(Place, int block) { return {block, 1, 0}; }
Source mine_from_each(Place place, int block) { return {block, 1, place.rank}; }
Source from_everyone(Place place, int) { return {0, place.ranks, 0}; }
Source mine_from_everyone(Place place, int) { return {0, place.ranks, place.rank}; }
Source up_to_me(Place place, int) { return {0, place.rank + 1, 0}; }
Source before_me(Place place, int) { return {0, place.rank, 0}; }

// MPI 4.1, 8.6: what goes out in one direction arrives in the block of the other.
Source from_beside(Place place, int block) {
    const int step = block == 0 ? place.ranks - 1 : 1;
    return {(place.rank + step) % place.ranks, 1, 1 - block};
}

Calls barrier(Host host, At at, Data) { return FAMILY(Barrier, barrier).with(at.comm()); }

Calls bcast(Host host, At at, Data data) {
    return FAMILY(Bcast, bcast).with(data.send, data.count, real(), 0, at.comm());
}

Calls gather(Host host, At at, Data data) {
    return FAMILY(Gather, gather)
        .with(data.send, data.count, real(), data.receive, data.count, real(), 0, at.comm());
}

Calls scatter(Host host, At at, Data data) {
    return FAMILY(Scatter, scatter)
        .with(data.send, data.count, real(), data.receive, data.count, real(), 0, at.comm());
}

Calls allgather(Host host, At at, Data data) {
    return FAMILY(Allgather, allgather)
        .with(data.send, data.count, real(), data.receive, data.count, real(), at.comm());
}

Calls alltoall(Host host, At at, Data data) {
    return FAMILY(Alltoall, alltoall)
        .with(data.send, data.count, real(), data.receive, data.count, real(), at.comm());
}

Calls reduce(Host host, At at, Data data) {
    return FAMILY(Reduce, reduce)
        .with(data.send, data.receive, data.count, real(), MPI_SUM, 0, at.comm());
}

Calls allreduce(Host host, At at, Data data) {
    return FAMILY(Allreduce, allreduce)
        .with(data.send, data.receive, data.count, real(), MPI_SUM, at.comm());
}

Calls reduce_scatter_block(Host host, At at, Data data) {
    return FAMILY(Reduce_scatter_block, reduce_scatter_block)
        .with(data.send, data.receive, data.count, real(), MPI_SUM, at.comm());
}

Calls scan(Host host, At at, Data data) {
    return FAMILY(Scan, scan).with(data.send, data.receive, data.count, real(), MPI_SUM, at.comm());
}

Calls exscan(Host host, At at, Data data) {
    return FAMILY(Exscan, exscan)
        .with(data.send, data.receive, data.count, real(), MPI_SUM, at.comm());
}

Calls neighbor_alltoall(Host host, At at, Data data) {
    return FAMILY(Neighbor_alltoall, neighbor_alltoall)
        .with(data.send, data.count, real(), data.receive, data.count, real(), at.ring());
}

const Operation table[] = {
    {"barrier", false, false, none, none, from_root, barrier},
    {"bcast", true, true, one, one, from_root, bcast},
    {"gather", true, false, one, all_at_root, from_each, gather},
    {"scatter", true, false, all, one, mine_from_root, scatter},
    {"allgather", true, false, one, all, from_each, allgather},
    {"alltoall", true, false, all, all, mine_from_each, alltoall},
    {"reduce", true, false, one, one_at_root, from_everyone, reduce},
    {"allreduce", true, false, one, one, from_everyone, allreduce},
    {"reduce_scatter_block", true, false, all, one, mine_from_everyone, reduce_scatter_block},
    {"scan", true, false, one, one, up_to_me, scan},
    {"exscan", true, false, one, one_after_first, before_me, exscan},
    {"neighbor_alltoall", true, false, two, two, from_beside, neighbor_alltoall},
};

} // namespace

std::span<const Operation> operations() { return table; }

const Operation* find_operation(std::string_view name) {
    const auto found = std::ranges::find(table, name, &Operation::name);
    return found == std::end(table) ? nullptr : found;
}

} // namespace mpix::bench
