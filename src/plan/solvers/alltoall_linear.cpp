// SPDX-License-Identifier: BSD-3-Clause
//
// Linear alltoall: everything is posted at once. Each rank begins with the rank after it, so that
// not all begin with the same one. R. Thakur, R. Rabenseifner, W. Gropp, "Optimization of
// Collective Communication Operations in MPICH", 2005, section 4.4.
#include "plan/patterns.hpp"
#include "plan/solver.hpp"

#include <algorithm>

namespace mpix::plan::alltoall_linear {
namespace {

// Where a block takes less memory than its queue, and has another way, it goes that.
bool applicable(const Shape& shape) {
    constexpr Bytes short_block = 256;
    return !fills_node(shape) || !shape.regular || shape.largest > short_block;
}

double cost(const Shape& shape, const Model& model) {
    const double own = static_cast<double>(shape.total) / shape.ranks;
    const double others = static_cast<double>(shape.total) - own;
    // Messages that arrive all at once slow each other; an estimate: twice as slow at 64 ranks.
    // Ranks that take turns do not send at once.
    const double crowding = model.is_crowded() ? 1 : 1 + std::max(0, shape.ranks - 8) / 56.0;
    return model.message(0) + model.asking(own) +
           (shape.ranks - 1) * model.exchanging() * crowding +
           others * model.per_byte_us * crowding + own * model.copy_us;
}

void build(const Problem& problem, Builder& plan) {
    const int n = problem.shape.ranks;
    const auto self = static_cast<std::size_t>(problem.rank);
    plan.copy(problem.send[self], problem.recv[self]);
    for (int distance = 1; distance < n; ++distance) {
        const auto to = static_cast<std::size_t>(ring(problem.rank, distance, n));
        Place block = problem.send[to];
        if (block == problem.recv[to]) {
            block = plan.scratch(block.bytes);
            plan.copy(problem.send[to], block);
        }
        plan.send(static_cast<int>(to), block);
    }
    for (int distance = 1; distance < n; ++distance) {
        const int from = ring(problem.rank, -distance, n);
        plan.recv(from, problem.recv[static_cast<std::size_t>(from)]);
    }
}

} // namespace

extern const Solver solver{"alltoall_linear", Kind::alltoall, applicable, cost, build};

} // namespace mpix::plan::alltoall_linear
