// SPDX-License-Identifier: BSD-3-Clause
// The destinations of each process in the graphs that neighbourhood tests use.
#pragma once

#include <vector>

namespace mpitest {

inline std::vector<int> everyone(int, int ranks) {
    std::vector<int> all;
    for (int r = 0; r < ranks; r++) all.push_back(r);
    return all;
}

inline std::vector<int> next_only(int me, int ranks) { return {(me + 1) % ranks}; }

inline std::vector<int> star(int me, int ranks) {
    if (me != 0) return {};
    return everyone(me, ranks);
}

inline std::vector<int> repeated(int me, int ranks) {
    const int next = (me + 1) % ranks, previous = (me + ranks - 1) % ranks;
    return {next, previous, next, me, next, previous, me};
}

inline std::vector<int> uneven(int me, int ranks) {
    std::vector<int> to;
    for (int k = 0; k < me + 1; k++) to.push_back((me * k + k) % ranks);
    return to;
}

inline std::vector<int> nobody(int, int) { return {}; }

// Symmetric, with every edge between two different processes listed twice and one loop.
inline std::vector<int> doubled(int me, int ranks) {
    std::vector<int> to{me};
    for (int pass = 0; pass < 2; pass++)
        for (int r = 0; r < ranks; r++)
            if (r != me) to.push_back(r);
    return to;
}

inline std::vector<int> both_sides(int me, int ranks) {
    if (ranks == 1) return {0};
    if (ranks == 2) return {1 - me};
    return {(me + 1) % ranks, (me + ranks - 1) % ranks};
}

} // namespace mpitest
