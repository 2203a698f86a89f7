// SPDX-License-Identifier: BSD-3-Clause
#include "bench/collectives/operations.hpp"

#include "bench/collectives/calls.hpp"
#include "bench/common/stencil.hpp"
#include "bench/common/text.hpp"

#include <algorithm>

namespace mpix::bench {

namespace {

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

// On the ring: the rank before, then the rank after.
int beside(Place place, int block) {
    return (place.rank + (block == 0 ? place.ranks - 1 : 1)) % place.ranks;
}

Source from_beside(Place place, int block) { return {beside(place, block), 1, 0}; }
// MPI 4.1, 8.6: what goes out in one direction arrives in the block of the other.
Source mine_from_beside(Place place, int block) { return {beside(place, block), 1, 1 - block}; }

// On the stencil: what goes out in a direction comes in as the block of that direction.
int around(Place) { return stencil_neighbors; }
Source from_around(Place place, int block) {
    return {stencil_from(place.rank, place.ranks, block), 1, 0};
}
Source mine_from_around(Place place, int block) {
    return {stencil_from(place.rank, place.ranks, block), 1, block};
}

const Operation table[] = {
    {"barrier", false, false, none, none, from_root, calls::barrier},
    {"bcast", true, true, one, one, from_root, calls::bcast},
    {"gather", true, false, one, all_at_root, from_each, calls::gather},
    {"gatherv", true, false, one, all_at_root, from_each, calls::gatherv},
    {"scatter", true, false, all, one, mine_from_root, calls::scatter},
    {"scatterv", true, false, all, one, mine_from_root, calls::scatterv},
    {"allgather", true, false, one, all, from_each, calls::allgather},
    {"allgatherv", true, false, one, all, from_each, calls::allgatherv},
    {"alltoall", true, false, all, all, mine_from_each, calls::alltoall},
    {"alltoallv", true, false, all, all, mine_from_each, calls::alltoallv},
    {"alltoallw", true, false, all, all, mine_from_each, calls::alltoallw},
    {"reduce", true, false, one, one_at_root, from_everyone, calls::reduce},
    {"allreduce", true, false, one, one, from_everyone, calls::allreduce},
    {"reduce_scatter", true, false, all, one, mine_from_everyone, calls::reduce_scatter},
    {"reduce_scatter_block", true, false, all, one, mine_from_everyone,
     calls::reduce_scatter_block},
    {"scan", true, false, one, one, up_to_me, calls::scan},
    {"exscan", true, false, one, one_after_first, before_me, calls::exscan},
    {"neighbor_allgather", true, false, one, two, from_beside, calls::neighbor_allgather},
    {"neighbor_allgatherv", true, false, one, two, from_beside, calls::neighbor_allgatherv},
    {"neighbor_alltoall", true, false, two, two, mine_from_beside, calls::neighbor_alltoall},
    {"neighbor_alltoallv", true, false, two, two, mine_from_beside, calls::neighbor_alltoallv},
    {"neighbor_alltoallw", true, false, two, two, mine_from_beside, calls::neighbor_alltoallw},
    {"stencil_allgather", true, false, one, around, from_around, calls::neighbor_allgather},
    {"stencil_alltoallv", true, false, around, around, mine_from_around, calls::neighbor_alltoallv},
};

} // namespace

std::span<const Operation> operations() { return table; }

const Operation* find_operation(std::string_view name) {
    const auto found = std::ranges::find(table, name, &Operation::name);
    return found == std::end(table) ? nullptr : found;
}

std::string title(const Operation& operation, std::size_t bytes) {
    std::string text(operation.name);
    return operation.has_data ? text.append(" ").append(size_name(bytes)) : text;
}

} // namespace mpix::bench
