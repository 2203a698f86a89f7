// SPDX-License-Identifier: BSD-3-Clause
//
// Flat reduce: every rank sends its vector to the root, which combines them in the order of ranks.
// One step of time, and only the root is busy. Folklore.
#include "plan/patterns.hpp"
#include "plan/solver.hpp"
#include "plan/solvers/folding.hpp"

#include <algorithm>

namespace mpix::plan::reduce_flat {
namespace {

bool applicable(const Shape& shape) { return may_go_from_left(shape); }

double cost(const Shape& shape, const Model& model) {
    const auto bytes = static_cast<double>(shape.total);
    if (model.locality == Locality::network) {
        // One after the other is taken.
        const double next = model.taking() + model.asking(bytes) + bytes * model.per_byte_us;
        return model.message(bytes) + std::max(shape.ranks - 2, 0) * next +
               (shape.ranks - 1) * bytes * model.reduce_us;
    }
    return model.latency_us +
           (shape.ranks - 1) * (model.taking() + bytes * (model.copy_us + model.reduce_us));
}

void build(const Problem& problem, Builder& plan) {
    const Place& own = problem.send[0];
    if (problem.rank != problem.shape.root) return plan.send(problem.shape.root, own);
    const Place& result = problem.recv[0];
    const bool in_place = own == result && problem.shape.ranks > 1;
    const Place sum = in_place ? plan.scratch(own.bytes) : result;
    fold_ranks(plan, problem.rank, problem.shape.ranks, own, sum);
    plan.copy(sum, result);
}

} // namespace

extern const Solver solver{"reduce_flat", Kind::reduce, applicable, cost, build};

} // namespace mpix::plan::reduce_flat
