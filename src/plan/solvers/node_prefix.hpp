// SPDX-License-Identifier: BSD-3-Clause
//
// What the nodes before this one come to, for scans over several nodes: an exscan of the sums of
// the nodes among their last ranks, and a broadcast of its result in each node. P. Sanders, J. L.
// Traff, "Parallel prefix (scan) algorithms for MPI", EuroPVM/MPI 2006.
#pragma once

#include "plan/solvers/levels.hpp"

namespace mpix::plan {

// Whether the ranks of each node follow each other, and a scan may combine in this order.
bool has_levels_to_scan(const Shape& shape);

double cost_of_node_prefix(const Shape& shape, const Model& model);

// `sum`: what this node comes to, at its last rank. Returns nothing on the first node.
Place node_prefix(const Problem& problem, const Levels& levels, const Place& sum, Builder& plan);

} // namespace mpix::plan
