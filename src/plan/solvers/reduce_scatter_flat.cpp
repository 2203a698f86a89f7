// SPDX-License-Identifier: BSD-3-Clause
//
// Flat reduce_scatter: every rank sends each other its segment, which that one combines in the
// order of ranks as it comes. One step of time. Folklore.
#include "plan/patterns.hpp"
#include "plan/solver.hpp"
#include "plan/solvers/folding.hpp"

namespace mpix::plan::reduce_scatter_flat {
namespace {

// Messages of the host are received in turn: two ranks have none that would wait.
bool applicable(const Shape& shape) {
    return (shape.one_node || shape.ranks <= 2) && may_go_from_left(shape);
}

double cost(const Shape& shape, const Model& model) {
    const auto block = static_cast<double>(shape.largest);
    if (!shape.one_node) return model.message(block) + block * model.reduce_us;
    // Of long ones what is read side by side is out of the cache before it is combined.
    const double again = shape.ranks > 2 && block > model.stays_in_cache ? model.relaying() - 1 : 0;
    return model.latency_us +
           (shape.ranks - 1) *
               (model.exchanging() + block * ((1 + again) * model.per_byte_us + model.reduce_us));
}

void build(const Problem& problem, Builder& plan) {
    const int n = problem.shape.ranks, self = problem.rank;
    for (int distance = 1; distance < n; ++distance) {
        const int to = ring(self, distance, n);
        plan.send(to, problem.send[static_cast<std::size_t>(to)]);
    }
    const Place& own = problem.send[static_cast<std::size_t>(self)];
    const Place& result = problem.recv[0];
    const bool in_place = own.buffer == result.buffer && n > 1;
    const Place sum = in_place ? plan.scratch(result.bytes) : result;
    fold_ranks(plan, self, n, own, sum);
    plan.copy(sum, result);
}

} // namespace

extern const Solver solver{"reduce_scatter_flat", Kind::reduce_scatter, applicable, cost, build};

} // namespace mpix::plan::reduce_scatter_flat
