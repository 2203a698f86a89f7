// SPDX-License-Identifier: BSD-3-Clause
// Every partitioned collective of ranks: sizes, roots, numbers of partitions, in place.
#include "partitioned/partitioned_rounds.hpp"

using namespace mpitest;

namespace {

template<class Run>
void each_operation(Run run) {
    for (const Partitioned& row : partitioned_calls)
        if (!row.is_neighbor())
            for (const int root : roots_of(row)) run(row, root);
}

} // namespace

TEST_CASE("small partitions in any numbers and any order") {
    each_operation([](const Partitioned& row, int root) {
        for (std::uint32_t seed = 1; seed <= 3; seed++)
            run_rounds({.row = &row, .granules = 1, .root = root, .seed = seed}, 4);
    });
}

TEST_CASE("nothing at all in any number of partitions") {
    each_operation([](const Partitioned& row, int root) {
        run_rounds({.row = &row, .granules = 0, .root = root, .seed = 4});
    });
}

TEST_CASE("one partition at each end") {
    each_operation([](const Partitioned& row, int root) {
        run_rounds({.row = &row, .granules = 5, .root = root, .choices = {1}});
    });
}

TEST_CASE("partitions of many bytes") {
    each_operation([](const Partitioned& row, int root) {
        if (root != 0) return;
        run_rounds({.row = &row, .granules = 900, .seed = 5});
        run_rounds({.row = &row, .granules = 9'000, .seed = 6}, 2);
    });
}

TEST_CASE("in place where the unpartitioned call may be") {
    each_operation([](const Partitioned& row, int root) {
        if (!row.may_be_in_place()) return;
        for (std::uint32_t seed = 1; seed <= 2; seed++)
            for (const int granules : {0, 1, 700})
                run_rounds({.row = &row,
                            .granules = granules,
                            .root = root,
                            .in_place = true,
                            .seed = seed});
    });
}
