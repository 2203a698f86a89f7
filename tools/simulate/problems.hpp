// SPDX-License-Identifier: BSD-3-Clause
//
// Operations of many ranks on a machine that there may not be, with contiguous blocks of one size
// and root 0.
#pragma once

#include "plan/problem.hpp"

#include <string>

namespace mpix::simulate {

plan::Problem make_problem(plan::Kind kind, const plan::Nodes& nodes, int ranks, int rank,
                           plan::Bytes bytes);

} // namespace mpix::simulate
