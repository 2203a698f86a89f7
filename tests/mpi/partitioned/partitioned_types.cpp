// SPDX-License-Identifier: BSD-3-Clause
// Partitioned collectives of datatypes with gaps, the same at both ends or not. Gaps are never
// written.
#include "partitioned/partitioned_rounds.hpp"

using namespace mpitest;

namespace {

// Datatypes with six ints to a unit.
struct Types {
    Type pairs = vector_of(3, 2, 4), holes = vector_of(2, 1, 2), wide = resized(holes, 0, 20),
         members = structure();
    std::vector<Side> all{{MPI_INT, 6}, {pairs, 1}, {wide, 3}, {members, 2}};
};

void check_types(const std::vector<Side>& send, const std::vector<Side>& recv, bool in_place) {
    for (const Partitioned& row : partitioned_calls) {
        if (row.is_neighbor() || row.reduces()) continue;
        if (in_place && !row.may_be_in_place()) continue;
        for (const int granules : {1, 70})
            run_rounds({.row = &row,
                        .granules = granules,
                        .root = size_of() - 1,
                        .in_place = in_place,
                        .seed = 7,
                        .send = send,
                        .recv = recv});
    }
}

} // namespace

TEST_CASE("gaps on the sending side") {
    const Types types;
    for (std::size_t i = 1; i < types.all.size(); i++)
        check_types({types.all[i]}, {types.all[0]}, false);
}

TEST_CASE("gaps on the receiving side") {
    const Types types;
    for (std::size_t i = 1; i < types.all.size(); i++)
        check_types({types.all[0]}, {types.all[i]}, false);
}

TEST_CASE("gaps on both sides, and datatypes that differ between segments") {
    const Types types;
    check_types({types.all[1], types.all[0], types.all[3]}, {types.all[2], types.all[3]}, false);
    check_types({types.all[3]}, {types.all[3]}, false);
}

TEST_CASE("gaps in place") {
    const Types types;
    // In place of a side each rank has the datatypes of the other.
    const std::vector<Side> all{types.all[2]};
    check_types(all, all, true);
}

TEST_CASE("gaps between neighbours") {
    const Types types;
    const Topology ring = grid({size_of()}, {1});
    for (const Partitioned& row : partitioned_calls)
        if (row.is_neighbor())
            run_rounds({.row = &row,
                        .seed = 8,
                        .send = {types.all[3], types.all[1]},
                        .recv = {types.all[2], types.all[0], types.all[1]},
                        .comm = ring.comm,
                        .topology = &ring});
}

TEST_CASE("datatypes, communicators and arrays go right after the init") {
    const Types types;
    for (const Partitioned& row : partitioned_calls) {
        if (row.is_neighbor()) continue;
        const bool reduces = row.reduces();
        run_rounds({.row = &row,
                    .seed = 9,
                    .send = {reduces ? types.all[0] : types.all[2]},
                    .recv = {types.all[3]},
                    .frees_early = true});
    }
}
