// SPDX-License-Identifier: BSD-3-Clause
// Calls of one collective that follow each other on one communicator.
#pragma once

#include "collectives/compare.hpp"

namespace mpitest {

// Not in place, in place, and again.
template<class Visit>
void each_in_place(const Collective& row, int count, Visit visit) {
    for (const int root : roots(row)) {
        Variant variant{.count = count, .root = root, .rounds = 3};
        for (const bool in_place : {true, false, true}) {
            variant.in_place = in_place;
            visit(variant);
        }
    }
}

// With types with gaps, without, and in another order, that differ from rank to rank and from round
// to round.
template<class Visit>
void each_typed(const Collective& row, Visit visit) {
    const Type gaps = vector_of(2, 1, 3), wide = resized(vector_of(1, 2, 2), -8, 32);
    const Type dense = vector_of(2, 1, 1), turned = indexed({1, 1}, {1, 0});
    const Side sides[] = {{MPI_INT, 2}, {gaps, 1}, {dense, 1}, {wide, 1}, {turned, 1}};
    // The ranks of Open MPI's own choose different ways by that (hostbugs/allgatherv_types.c).
    const bool may_differ = std::string(row.name) != "allgatherv";
    const auto me = static_cast<std::size_t>(may_differ ? rank_of() : 0);
    for (std::size_t round = 0; round < 10; round++)
        for (const int count : {1, 40, 3000})
            visit(Variant{.count = count,
                          .root = size_of() - 1,
                          .send = sides[(me + round) % 5],
                          .recv = sides[(2 * me + round / 2) % 5],
                          .rounds = 1});
}

} // namespace mpitest
