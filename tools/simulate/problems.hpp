// SPDX-License-Identifier: BSD-3-Clause
//
// Operations of many ranks on a machine that there may not be, with contiguous blocks of one size
// and root 0.
#pragma once

#include "plan/problem.hpp"

#include <string>

namespace mpix::simulate {

// Nodes of so many ranks each, which follow each other or are dealt to them in turn.
struct Machine {
    int nodes = 16;
    int mates = 16;
    bool is_cyclic = false;

    int ranks() const { return nodes * mates; }
    plan::Nodes placement() const;
};

// As in "node:64 socket:2 core:16": a rank for each of the last. Throws std::invalid_argument.
Machine parse_machine(const std::string& topology);

plan::Problem make_problem(plan::Kind kind, const plan::Nodes& nodes, int ranks, int rank,
                           plan::Bytes bytes);

} // namespace mpix::simulate
