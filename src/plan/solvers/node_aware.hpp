// SPDX-License-Identifier: BSD-3-Clause
//
// Edges in one message for each pair of nodes: what the ranks of a node have for another is
// gathered at one of them, crosses, and is dealt out there. A. Bienz, W. Gropp, L. Olson, "Node
// aware sparse matrix-vector multiplication", 2019, and G. Collom, R. Li, A. Bienz, "Optimizing
// irregular communication with neighborhood collectives and locality-aware parallelism", 2023.
#pragma once

#include "plan/solver.hpp"

#include <vector>

namespace mpix::plan {

// Whether all ranks know what crosses, and the ranks of a node each other's edges.
bool is_node_aware(const Shape& shape);

// Of an edge a message, and of the messages between nodes.
double cost_of_edges(const Shape& shape, const Model& model);
double cost_of_node_aware(const Shape& shape, const Model& model);

// send[i] goes to destinations[i], recv[i] comes from sources[i], as in a neighborhood.
void build_node_aware(const Problem& problem, const std::vector<int>& destinations,
                      const std::vector<int>& sources, Builder& plan);

} // namespace mpix::plan
