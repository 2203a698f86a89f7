// SPDX-License-Identifier: BSD-3-Clause
//
// Alltoall of blocks that are not alike, with one message for each pair of nodes.
#include "plan/solvers/node_aware.hpp"

#include <numeric>

namespace mpix::plan::alltoall_node_aware {
namespace {

void build(const Problem& problem, Builder& plan) {
    std::vector<int> all(problem.send.size());
    std::iota(all.begin(), all.end(), 0);
    build_node_aware(problem, all, all, plan);
}

} // namespace

extern const Solver solver{"alltoall_node_aware", Kind::alltoall, is_node_aware, cost_of_node_aware,
                           build};

} // namespace mpix::plan::alltoall_node_aware
