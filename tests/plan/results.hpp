// SPDX-License-Identifier: BSD-3-Clause
//
// What a program's reductions yield with an operation that commutes but does not associate, as
// floating point does not: equal results mean the same order of combination.
#pragma once

#include "plan/simulator.hpp"

#include <cstring>

namespace mpix::plan::test {

inline std::string blend(const std::byte* in, std::byte* inout, Bytes bytes) {
    for (Bytes i = 0; i < bytes; i += 8) {
        std::uint64_t a, b;
        std::memcpy(&a, in + i, sizeof a);
        std::memcpy(&b, inout + i, sizeof b);
        b = (a + b) * 0x9e3779b97f4a7c15 + (a ^ b);
        std::memcpy(inout + i, &b, sizeof b);
    }
    return "";
}

// The receive buffers by rank and round.
using Results = std::map<std::pair<int, int>, std::vector<std::byte>>;

inline Results results(Simulator::Program program, std::uint64_t seed) {
    Results found;
    program.combine = blend;
    program.check = [&found](int rank, int round, Memory& memory) {
        auto& all = found[{rank, round}] = memory.recv;
        for (const auto& block : memory.recv_blocks)
            all.insert(all.end(), block.begin(), block.end());
        return "";
    };
    Simulator(program, seed).run();
    return found;
}

} // namespace mpix::plan::test
