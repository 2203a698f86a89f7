// SPDX-License-Identifier: BSD-3-Clause
//
// Linear allgather: every rank sends its block to every other at once, each beginning with its
// neighbour. It has no source: it is the definition of the operation.
#include "plan/patterns.hpp"
#include "plan/solver.hpp"

namespace mpix::plan::allgather_linear {
namespace {

bool applicable(const Shape& shape) { return !fills_node(shape); }

double cost(const Shape& shape, const Model& model) {
    const int n = shape.ranks;
    const auto block = static_cast<double>(shape.largest);
    if (n == 1) return block * model.copy_us;
    const double bytes = static_cast<double>(shape.total) * (n - 1) / n;
    return (n - 1) * model.exchanging() + model.message(block) +
           (bytes * model.crossing - block) * model.per_byte_us + block * model.copy_us;
}

void build(const Problem& problem, Builder& plan) {
    const int n = problem.shape.ranks;
    for (int distance = 1; distance < n; ++distance) {
        const int origin = ring(problem.rank, -distance, n);
        plan.recv(origin, problem.recv[static_cast<std::size_t>(origin)]);
        plan.send(ring(problem.rank, distance, n), problem.send[0]);
    }
    plan.copy(problem.send[0], problem.recv[static_cast<std::size_t>(problem.rank)]);
}

} // namespace

extern const Solver solver{"allgather_linear", Kind::allgather, applicable, cost, build};

} // namespace mpix::plan::allgather_linear
