// SPDX-License-Identifier: BSD-3-Clause
//
// A reduction between two groups: every rank of one sends its vector, or a segment of it, to each
// rank of the other that needs it, and that one combines them as they stand, in the order of ranks,
// from the last to the first. MPI-4.1, section 6.9.1. Two stages take turns, so that one may arrive
// while the other is combined.
#include "plan/solver.hpp"

#include <array>

namespace mpix::plan::group_reduce_linear {
namespace {

bool applicable(const Shape&) { return true; }

double cost(const Shape& shape, const Model& model) {
    const auto bytes = static_cast<double>(shape.largest);
    return shape.ranks * (model.overhead_us + bytes * (model.per_byte_us + model.reduce_us)) +
           model.latency_us;
}

void build(const Problem& problem, Builder& plan) {
    for (std::size_t i = 0; i < problem.destinations.size(); ++i)
        plan.send(problem.destinations[i], problem.send[i]);
    const std::size_t terms = problem.sources.size();
    if (terms == 0) return;
    const Place& result = problem.recv[0];
    plan.recv(problem.sources[terms - 1], result);
    if (terms == 1) return;
    const std::array stages{plan.scratch(result.bytes), plan.scratch(result.bytes)};
    for (std::size_t i = terms - 1; i-- > 0;) {
        plan.recv(problem.sources[i], stages[i % 2]);
        plan.reduce(stages[i % 2], result);
    }
}

} // namespace

extern const Solver solver{"group_reduce_linear", Kind::group_reduce, applicable, cost, build};

} // namespace mpix::plan::group_reduce_linear
