// SPDX-License-Identifier: BSD-3-Clause
// Every persistent collective against the blocking one: counts from nothing to large, roots,
// several starts.
#include "collectives/compare.hpp"

using namespace mpitest;

namespace {

int rounds_for(int ranks) { return ranks > 4 ? 2 : 3; }

void compare_all(const std::vector<int>& counts, bool every_root) {
    for (const Collective& row : collectives)
        for (const int count : counts) {
            std::vector<int> chosen = roots(row);
            if (!every_root) chosen = {chosen.back()};
            for (const int root : chosen)
                compare_with_blocking(
                    row, {.count = count, .root = root, .rounds = rounds_for(size_of())});
        }
}

} // namespace

TEST_CASE("nothing is moved where the count is zero") { compare_all({0}, true); }

TEST_CASE("small counts arrive at every root") { compare_all({1, 3, 17}, true); }

TEST_CASE("a thousand elements arrive at the last root") { compare_all({1000}, false); }

TEST_CASE("forty thousand elements arrive") {
    for (const Collective& row : collectives)
        compare_with_blocking(row, {.count = 40'000, .root = size_of() - 1, .rounds = 2});
}

TEST_CASE("three hundred thousand elements arrive") {
    for (const Collective& row : collectives) {
        const bool grows =
            row.send == Layout::mesh || (row.send == Layout::all && row.recv == Layout::all);
        compare_with_blocking(
            row, {.count = grows ? 60'000 : 300'000, .root = size_of() / 2, .rounds = 2});
    }
}

TEST_CASE("one byte less and one byte more than common thresholds arrive") {
    for (const Collective& row : collectives)
        for (const int count : {63, 64, 65, 2047, 2048, 2049}) {
            const bool few = size_of() > 4 && count > 1000;
            if (!few) compare_with_blocking(row, {.count = count, .rounds = 2});
        }
}

TEST_CASE("null buffers are accepted where nothing is moved") {
    for (const Collective& row : collectives) {
        INFO(row.name);
        Bound bound = bind(row, {.count = 0});
        bound.call.send = nullptr;
        if (!row.reduces) bound.call.recv = nullptr; // a reduction may not have both buffers alike
        MPI_Request request = MPI_REQUEST_NULL;
        CHECK_MPI(row.persistent(bound.call, &request));
        start_and_wait(request);
        start_and_wait(request);
        free_request(request);
    }
}
