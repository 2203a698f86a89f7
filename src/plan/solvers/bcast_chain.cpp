// SPDX-License-Identifier: BSD-3-Clause
//
// Chain broadcast: the vector goes from rank to rank in segments, and every rank passes a segment
// on while it receives the next. J. Pjesivac-Grbovic et al., "Performance Analysis of MPI
// Collective Operations", 2005, "pipeline".
#include "plan/patterns.hpp"
#include "plan/solver.hpp"
#include "plan/solvers/pipeline.hpp"

namespace mpix::plan::bcast_chain {
namespace {

bool applicable(const Shape& shape) { return !shape.is_piece; }

double cost(const Shape& shape, const Model& model) { return cost_of_pipeline(shape, model, 0); }

void build(const Problem& problem, Builder& plan) {
    const Shape& shape = problem.shape;
    const int self = ring(problem.rank, -shape.root, shape.ranks);
    const Place& data = self == 0 ? problem.send[0] : problem.recv[0];
    const int pieces = pipeline_segments(shape, plan.model(), 0);
    for (int index = 0; index < pieces; ++index) {
        const Place segment = cut(shape, data, pieces, index);
        if (self != 0) plan.recv(ring(problem.rank, -1, shape.ranks), segment);
        if (self != shape.ranks - 1) plan.send(ring(problem.rank, 1, shape.ranks), segment);
    }
}

} // namespace

extern const Solver solver{"bcast_chain", Kind::bcast, applicable, cost, build, true};

} // namespace mpix::plan::bcast_chain
