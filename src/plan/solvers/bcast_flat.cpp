// SPDX-License-Identifier: BSD-3-Clause
//
// Flat broadcast: the root sends to every rank. Within a node they read the root's vector all at
// once, so that each byte is copied once a rank. Folklore.
#include "plan/patterns.hpp"
#include "plan/solver.hpp"

namespace mpix::plan::bcast_flat {
namespace {

bool applicable(const Shape& shape) { return shape.one_node; }

double cost(const Shape& shape, const Model& model) {
    const auto bytes = static_cast<double>(shape.total);
    return model.message(bytes) + (shape.ranks - 2) * model.one_more_message(bytes);
}

void build(const Problem& problem, Builder& plan) {
    const int n = problem.shape.ranks;
    if (problem.rank != problem.shape.root) return plan.recv(problem.shape.root, problem.recv[0]);
    for (int distance = 1; distance < n; ++distance)
        plan.send(ring(problem.rank, distance, n), problem.send[0]);
}

} // namespace

extern const Solver solver{"bcast_flat", Kind::bcast, applicable, cost, build};

} // namespace mpix::plan::bcast_flat
