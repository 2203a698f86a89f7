// SPDX-License-Identifier: BSD-3-Clause
//
// From edges to what crosses from node to node.
#pragma once

#include "plan/problem.hpp"

#include <vector>

namespace mpix::plan {

// The rank's own, in a neighborhood or an alltoall.
Edges edges_of(const Problem& problem);

// Of the ranks of one node, with those edges.
Crossing crossing_of(const Nodes& nodes, int node, const std::vector<Edges>& mates);

} // namespace mpix::plan
