// SPDX-License-Identifier: BSD-3-Clause
//
// Neighborhood exchange with one message for each pair of nodes.
#include "plan/solvers/node_aware.hpp"

namespace mpix::plan::neighbor_node_aware {
namespace {

void build(const Problem& problem, Builder& plan) {
    build_node_aware(problem, problem.destinations, problem.sources, plan);
}

} // namespace

extern const Solver solver{"neighbor_node_aware", Kind::neighbor, is_node_aware, cost_of_node_aware,
                           build};

} // namespace mpix::plan::neighbor_node_aware
