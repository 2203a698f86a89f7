// SPDX-License-Identifier: BSD-3-Clause
//
// Chain exscan: each rank receives the sum of those before it, and passes it on with its own vector
// added, the fewest messages. A long vector goes in segments, and takes little longer than one
// message of it. P. Sanders, J. L. Träff, "Parallel Prefix (Scan) Algorithms for MPI", 2006,
// "linear pipeline".
#include "plan/patterns.hpp"
#include "plan/solver.hpp"
#include "plan/solvers/pipeline.hpp"

namespace mpix::plan::exscan_chain {
namespace {

double work(const Model& model) { return model.reduce_us + model.copy_us; }

// As that of a scan.
bool applicable(const Shape& shape) { return shape.is_piece || may_go_from_left(shape); }

double cost(const Shape& shape, const Model& model) {
    return cost_of_pipeline(shape, model, work(model));
}

void build(const Problem& problem, Builder& plan) {
    const Shape& shape = problem.shape;
    const int rank = problem.rank;
    const bool is_between = rank > 0 && rank + 1 < shape.ranks;
    const Place sums = is_between ? plan.scratch(problem.send[0].bytes) : Place{};
    if (is_between) plan.copy(problem.send[0], sums); // in place the sum before it takes its place
    const int pieces = pipeline_segments(shape, plan.model(), work(plan.model()));
    for (int index = 0; index < pieces; ++index) {
        const Place own = cut(shape, is_between ? sums : problem.send[0], pieces, index);
        if (rank > 0) {
            const Place before = cut(shape, problem.recv[0], pieces, index);
            plan.recv(rank - 1, before);
            if (is_between) plan.reduce(before, own);
        }
        if (rank + 1 < shape.ranks) plan.send(rank + 1, own);
    }
}

} // namespace

extern const Solver solver{"exscan_chain", Kind::exscan, applicable, cost, build, true};

} // namespace mpix::plan::exscan_chain
