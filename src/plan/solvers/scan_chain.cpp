// SPDX-License-Identifier: BSD-3-Clause
//
// Chain scan: each rank waits for the sum of those before it, adds its own vector and passes it on,
// the fewest messages. A long vector goes in segments, and takes little longer than one message of
// it. P. Sanders, J. L. Träff, "Parallel Prefix (Scan) Algorithms for MPI", 2006, "linear
// pipeline".
#include "plan/patterns.hpp"
#include "plan/solver.hpp"
#include "plan/solvers/pipeline.hpp"

namespace mpix::plan::scan_chain {
namespace {

// The fixed order of a scan is that of doubling distances, and that of its pieces this one.
bool applicable(const Shape& shape) { return shape.is_piece || may_go_from_right(shape); }

double cost(const Shape& shape, const Model& model) {
    return cost_of_pipeline(shape, model, model.reduce_us);
}

void build(const Problem& problem, Builder& plan) {
    const Shape& shape = problem.shape;
    const int rank = problem.rank;
    const Place& result = problem.recv[0];
    const Place stage = rank > 0 ? plan.scratch(result.bytes) : Place{};
    const int pieces = pipeline_segments(shape, plan.model(), plan.model().reduce_us);
    for (int index = 0; index < pieces; ++index) {
        const Place own = cut(shape, problem.send[0], pieces, index);
        const Place sum = rank > 0 ? cut(shape, result, pieces, index) : own;
        if (rank > 0) plan.combine(rank - 1, own, sum, cut(shape, stage, pieces, index));
        if (rank + 1 < shape.ranks) plan.send(rank + 1, sum);
    }
    if (rank == 0) plan.copy(problem.send[0], result);
}

} // namespace

extern const Solver solver{"scan_chain", Kind::scan, applicable, cost, build, true};

} // namespace mpix::plan::scan_chain
