// SPDX-License-Identifier: BSD-3-Clause
// MPI_IN_PLACE wherever MPI allows it, and the forms with large counts, against the blocking call.
#include "collectives/compare.hpp"

using namespace mpitest;

namespace {

int rounds_for(int ranks) { return ranks > 4 ? 2 : 3; }

} // namespace

TEST_CASE("a collective in place agrees with the blocking one in place") {
    for (const Collective& row : collectives) {
        if (row.in_place == InPlace::nowhere) continue;
        for (const int count : {0, 1, 17, 1000})
            for (const int root : roots(row))
                compare_with_blocking(row, {.count = count,
                                            .root = root,
                                            .in_place = true,
                                            .rounds = rounds_for(size_of())});
    }
}

TEST_CASE("a large collective in place agrees with the blocking one in place") {
    for (const Collective& row : collectives)
        if (row.in_place != InPlace::nowhere)
            compare_with_blocking(
                row, {.count = 50'000, .root = size_of() - 1, .in_place = true, .rounds = 2});
}

TEST_CASE("the _c form of every collective agrees with the blocking call") {
    for (const Collective& row : collectives)
        for (const int count : {0, 5, 700})
            compare_with_blocking(
                row, {.count = count, .root = size_of() - 1, .large_counts = true, .rounds = 2});
}

TEST_CASE("the _c form of every collective works in place") {
    for (const Collective& row : collectives)
        if (row.in_place != InPlace::nowhere)
            compare_with_blocking(
                row, {.count = 9, .in_place = true, .large_counts = true, .rounds = 2});
}
