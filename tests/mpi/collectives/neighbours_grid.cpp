// SPDX-License-Identifier: BSD-3-Clause
// Neighbourhood collectives on Cartesian communicators of every shape that fits, periodic and not.
#include "collectives/neighbours.hpp"

using namespace mpitest;

namespace {

void check_grid(const std::vector<int>& dims, const std::vector<int>& periods) {
    int needed = 1;
    std::string text = "grid";
    for (std::size_t d = 0; d < dims.size(); d++) {
        needed *= dims[d];
        text += " " + std::to_string(dims[d]) + (periods[d] != 0 ? " periodic" : "");
    }
    if (needed > size_of()) return;
    INFO(text);
    check_neighbourhoods(grid(dims, periods));
}

} // namespace

TEST_CASE("a line of processes exchanges with both sides") {
    check_grid({size_of()}, {0});
    check_grid({1}, {0});
}

TEST_CASE("a ring of processes exchanges with both sides") { check_grid({size_of()}, {1}); }

TEST_CASE("a periodic dimension of one process exchanges its two blocks with itself") {
    check_grid({1}, {1});
    check_grid({1, size_of()}, {1, 1});
    check_grid({size_of(), 1}, {0, 1});
}

TEST_CASE("a periodic dimension of two processes keeps left and right apart") {
    check_grid({2}, {1});
    check_grid({2, 2}, {1, 1});
    check_grid({2, 1}, {1, 0});
    check_grid({2, 2, 1}, {1, 0, 1});
}

TEST_CASE("grids of two and three dimensions exchange with all sides") {
    check_grid({2, 2}, {0, 0});
    check_grid({2, 2}, {0, 1});
    check_grid({3, 2}, {1, 1});
    check_grid({2, 3}, {0, 1});
    check_grid({1, 2, 2}, {1, 1, 1});
    check_grid({2, 1, 3}, {1, 1, 1});
    check_grid({1, 1, 1}, {1, 1, 0});
}

TEST_CASE("large blocks go round a ring") {
    const Topology ring = grid({size_of()}, {1});
    check_neighbourhoods(ring, {40'000});
}
