// SPDX-License-Identifier: BSD-3-Clause
// What tests draw by chance: the same in every run.
#pragma once

#include <cstdint>
#include <random>

namespace mpitest {

using Random = std::mt19937;

inline int draw(Random& random, int low, int high) {
    return low + static_cast<int>(random() % static_cast<std::uint32_t>(high - low + 1));
}

} // namespace mpitest
