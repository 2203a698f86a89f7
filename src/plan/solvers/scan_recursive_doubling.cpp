// SPDX-License-Identifier: BSD-3-Clause
//
// Recursive doubling scan: in round k a rank passes what it has to the rank 2^k further on, and
// puts what it gets from 2^k before in front of its own. One combination a round, in rank order,
// for any number of ranks. W. D. Hillis, G. L. Steele, "Data parallel algorithms", 1986.
#include "plan/patterns.hpp"
#include "plan/solver.hpp"
#include "plan/solvers/growing.hpp"

namespace mpix::plan::scan_recursive_doubling {
namespace {

bool applicable(const Shape& shape) { return !shape.is_piece; }

double cost(const Shape& shape, const Model& model) {
    const auto bytes = static_cast<double>(shape.total);
    return ceil_log2(shape.ranks) * (model.message(bytes) + bytes * model.reduce_us) +
           bytes * model.copy_us;
}

void build(const Problem& problem, Builder& plan) {
    const int rank = problem.rank;
    Growing sum(plan, problem.send[0], problem.recv[0]);
    for (int distance = 1; distance < problem.shape.ranks; distance *= 2) {
        if (rank + distance < problem.shape.ranks) plan.send(rank + distance, sum.place());
        if (rank >= distance) sum.combine(rank - distance, true);
    }
    plan.copy(sum.place(), problem.recv[0]);
}

} // namespace

extern const Solver solver{"scan_recursive_doubling", Kind::scan, applicable, cost, build};

} // namespace mpix::plan::scan_recursive_doubling
