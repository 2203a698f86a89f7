// SPDX-License-Identifier: BSD-3-Clause
//
// Linear scan: each rank waits for the sum of those before it, adds its own vector, and passes it
// on. The fewest messages, and nobody waits for a rank behind it: for ranks that take turns on
// cores. Folklore.
#include "plan/patterns.hpp"
#include "plan/solver.hpp"
#include "plan/solvers/growing.hpp"

namespace mpix::plan::scan_linear {
namespace {

// The fixed order of a scan is that of doubling distances, and that of its pieces this one.
bool applicable(const Shape& shape) { return shape.is_piece || may_go_from_right(shape); }

double cost(const Shape& shape, const Model& model) {
    const auto bytes = static_cast<double>(shape.total);
    return model.chain(shape.ranks - 1, bytes, bytes * model.reduce_us) + bytes * model.copy_us;
}

void build(const Problem& problem, Builder& plan) {
    const int rank = problem.rank;
    Growing sum(plan, problem.send[0], problem.recv[0]);
    if (rank > 0) sum.combine(rank - 1, true);
    if (rank + 1 < problem.shape.ranks) plan.send(rank + 1, sum.place());
    plan.copy(sum.place(), problem.recv[0]);
}

} // namespace

extern const Solver solver{"scan_linear", Kind::scan, applicable, cost, build};

} // namespace mpix::plan::scan_linear
