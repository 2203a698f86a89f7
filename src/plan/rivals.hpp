// SPDX-License-Identifier: BSD-3-Clause
//
// Another plan of the same, which may be the quicker one where the model is wrong.
#pragma once

#include "plan/planner.hpp"

namespace mpix::plan {

// One without partitions, which shares the plan's scratch and tags: the rounds of both follow each
// other.
void add_rival(Plan& plan, const Plan& rival);

// The one of the others that may well be quicker; else null.
const Solver* find_rival(const Solver& chosen, const Shape& shape, const Model& model);

} // namespace mpix::plan
