// SPDX-License-Identifier: BSD-3-Clause
//
// Linear exscan: each rank receives the sum of those before it, and passes it on with its own
// vector added. The fewest messages, and nobody waits for a rank behind it: for ranks that take
// turns on cores. Folklore.
#include "plan/patterns.hpp"
#include "plan/solver.hpp"

namespace mpix::plan::exscan_linear {
namespace {

// As that of a scan.
bool applicable(const Shape& shape) { return shape.is_piece || may_go_from_left(shape); }

double cost(const Shape& shape, const Model& model) {
    const auto bytes = static_cast<double>(shape.total);
    return model.chain(shape.ranks - 1, bytes, bytes * (model.reduce_us + model.copy_us));
}

void build(const Problem& problem, Builder& plan) {
    const int rank = problem.rank;
    const bool is_last = rank + 1 == problem.shape.ranks;
    const Place& own = problem.send[0];
    if (rank == 0) {
        if (!is_last) plan.send(1, own);
        return;
    }
    const Place& before = problem.recv[0];
    if (is_last) return plan.recv(rank - 1, before);
    const Place sum = plan.scratch(own.bytes);
    plan.copy(own, sum);
    plan.recv(rank - 1, before);
    plan.reduce(before, sum);
    plan.send(rank + 1, sum);
}

} // namespace

extern const Solver solver{"exscan_linear", Kind::exscan, applicable, cost, build};

} // namespace mpix::plan::exscan_linear
