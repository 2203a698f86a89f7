// SPDX-License-Identifier: BSD-3-Clause
//
// Problems of every kind for the simulator: what each rank is given, and the exact bytes it must
// have at the end, guard bytes between blocks included. Expected values are computed from the
// definition of the operation, never by a plan.
#pragma once

#include "plan/simulator.hpp"

#include <memory>

namespace mpix::plan::test {

struct Variant {
    int ranks = 1;
    int root = 0;
    int count = 1;         // bytes of a block, or elements of a vector in reductions
    bool in_place = false; // neighbor: all edges of a rank have the same bytes
    bool regular = true;   // otherwise blocks differ in size, some are empty
    bool commutative = true;
    bool staged = false; // the user's buffers are not dense
};

std::string describe(const Variant& variant);

// All ranks of one operation: their problems, and a program without plans.
struct Case {
    std::vector<Problem> problems;
    Simulator::Program program;
};

// What the ranks of a node know of each other's edges, and all of what crosses.
void share_edges(std::vector<Problem>& all);

Case make(Kind kind, const Variant& variant);

} // namespace mpix::plan::test
