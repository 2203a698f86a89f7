// SPDX-License-Identifier: BSD-3-Clause
// Prints what reductions give, on rank 0 a line each: a number of all bits of all ranks. bits.sh
// compares the lines of several runs.
#include "collectives/bits.hpp"

#include <cstdio>

using namespace mpitest;

namespace {

// FNV-1a.
std::uint64_t hash(const std::vector<std::uint8_t>& bytes, std::uint64_t seed) {
    for (const std::uint8_t byte : bytes) seed = (seed ^ byte) * 0x100000001b3u;
    return seed;
}

void print(const Trial& trial) {
    const std::uint64_t own = hash(trial.run(), 0xcbf29ce484222325u);
    std::vector<std::uint64_t> all(static_cast<std::size_t>(size_of()));
    CHECK_MPI(MPI_Gather(&own, 1, MPI_UINT64_T, all.data(), 1, MPI_UINT64_T, 0, MPI_COMM_WORLD));
    std::uint64_t sum = 0;
    for (const std::uint64_t one : all) sum = sum * 0x9E3779B97F4A7C15 + one;
    if (rank_of() == 0)
        std::printf("bits: %s: %016llx\n", trial.text().c_str(),
                    static_cast<unsigned long long>(sum));
}

} // namespace

TEST_CASE("reductions are printed") {
    const Arithmetics arithmetics;
    each_trial(arithmetics.all, {130, 500, 4000}, print);
}
