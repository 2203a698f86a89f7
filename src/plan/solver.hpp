// SPDX-License-Identifier: BSD-3-Clause
//
// What a solver is: a name, when it applies, what it costs, how it builds one rank's steps.
// applicable and cost see only the shape, so that every rank chooses the same. Each solver is one
// file; solvers.def is the one table of them.
#pragma once

#include "plan/builder.hpp"
#include "plan/model.hpp"

#include <span>

namespace mpix::plan {

struct Solver {
    std::string_view name;
    Kind kind;
    bool (*applicable)(const Shape&);
    double (*cost)(const Shape&, const Model&); // microseconds until the last rank is done
    void (*build)(const Problem&, Builder&);
    // No rank waits for what another makes of its message: rounds that follow each other overlap,
    // and may do so more quickly than the cost of one tells.
    bool overlaps = false;
    bool repeats_among_leaders = false; // of each node: one of its own kind
};

std::span<const Solver* const> catalogue();

// Null if there is none of that name.
const Solver* find_solver(std::string_view name);

} // namespace mpix::plan
