// SPDX-License-Identifier: BSD-3-Clause
// So many rounds of long messages that each way they may take within a node is tried.
#include "collectives/compare.hpp"

using namespace mpitest;

TEST_CASE("long messages of many rounds agree with the blocking call") {
    for (const Collective& row : collectives)
        for (const int count : {9'000, 40'000})
            compare_with_blocking(row, {.count = count, .root = size_of() - 1, .rounds = 20});
}
