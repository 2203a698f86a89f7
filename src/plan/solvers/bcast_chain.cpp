// SPDX-License-Identifier: BSD-3-Clause
//
// Chain broadcast: the vector goes from rank to rank in segments, and every rank passes a segment
// on while it receives the next. J. Pjesivac-Grbovic et al., "Performance Analysis of MPI
// Collective Operations", 2005, "pipeline".
#include "plan/patterns.hpp"
#include "plan/solver.hpp"

#include <algorithm>
#include <cmath>

namespace mpix::plan::bcast_chain {
namespace {

constexpr int most_segments = 256; // what keeps a plan small

bool applicable(const Shape& shape) { return !shape.is_piece; }

// A rank between two others posts a receive and a send for each segment.
double posting(const Model& model) { return 2 * model.overhead_us; }

double cost_of(const Shape& shape, const Model& model, int pieces) {
    const double bytes = static_cast<double>(shape.total) / pieces;
    const double first = model.chain(shape.ranks - 1, bytes, 0);
    return first +
           (pieces - 1) * (posting(model) + model.asking(bytes) + bytes * model.per_byte_us);
}

// The number of segments that minimises the cost, or that sends none whose receiver is asked first.
int segments(const Shape& shape, const Model& model) {
    const auto bytes = static_cast<double>(shape.total);
    const auto elements = static_cast<double>(shape.total / shape.grain);
    const double most = std::min<double>(elements, most_segments);
    const auto pieces = [&](double wanted) {
        return std::max(1, static_cast<int>(std::min(wanted, most)));
    };
    const double hops = std::max(shape.ranks - 2, 0);
    const int quickest = pieces(std::sqrt(hops * bytes * model.per_byte_us / posting(model)));
    const int eager = pieces(bytes / model.eager_bytes + 1);
    return cost_of(shape, model, quickest) <= cost_of(shape, model, eager) ? quickest : eager;
}

double cost(const Shape& shape, const Model& model) {
    return cost_of(shape, model, segments(shape, model));
}

void build(const Problem& problem, Builder& plan) {
    const Shape& shape = problem.shape;
    const int self = ring(problem.rank, -shape.root, shape.ranks);
    const Place& data = self == 0 ? problem.send[0] : problem.recv[0];
    const int pieces = segments(shape, plan.model());
    for (int index = 0; index < pieces; ++index) {
        const Place segment = cut(shape, data, pieces, index);
        if (self != 0) plan.recv(ring(problem.rank, -1, shape.ranks), segment);
        if (self != shape.ranks - 1) plan.send(ring(problem.rank, 1, shape.ranks), segment);
    }
}

} // namespace

extern const Solver solver{"bcast_chain", Kind::bcast, applicable, cost, build};

} // namespace mpix::plan::bcast_chain
