// SPDX-License-Identifier: BSD-3-Clause
// Rounds of one partitioned operation: each marks in another way and asks in another.
#pragma once

#include "partitioned/partitioned_marks.hpp"

namespace mpitest {

// Some rounds mark and ask by turns, some wait without asking.
inline void run_round(PartedOperation& operation, int round) {
    INFO("round " << round);
    const std::uint32_t seed = mix(operation.about().seed, static_cast<std::uint32_t>(round),
                                   static_cast<std::uint32_t>(rank_of()));
    operation.start(round);
    Marker(operation, seed).mark_all(static_cast<Marking>(seed % markings));
    if (round % 3 != 2)
        Asker(operation, seed).await_all(static_cast<Asking>(seed / markings % askings));
    CHECK_MPI(MPI_Wait(&operation.request, MPI_STATUS_IGNORE));
    operation.check();
}

inline void run_rounds(const PartedCase& of, int rounds = 3) {
    PartedOperation operation(of);
    INFO(operation.text());
    for (int round = 0; round < rounds; round++) run_round(operation, round);
}

// The roots of a rooted operation: all of few ranks, some of more.
inline std::vector<int> roots_of(const Partitioned& row) {
    const int ranks = size_of();
    if (!row.has_root() || ranks == 1) return {0};
    if (ranks == 2) return {0, 1};
    return {0, ranks / 2, ranks - 1};
}

} // namespace mpitest
