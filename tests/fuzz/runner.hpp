// SPDX-License-Identifier: BSD-3-Clause
// Runs a program on this rank.
#pragma once

#include "conditions.hpp"
#include "program.hpp"

namespace fuzz {

struct Options {
    std::set<int> skipped;
    int broken = -1; // the operation whose received data are spoiled
};

void run(const Program& program, const Conditions& conditions, const Options& options,
         int world_rank);

} // namespace fuzz
