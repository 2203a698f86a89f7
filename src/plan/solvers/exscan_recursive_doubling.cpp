// SPDX-License-Identifier: BSD-3-Clause
//
// Recursive doubling exscan: every vector moves up one rank, then the ranks from 1 on scan what
// they got, with doubling distance, in rank order, for any number of ranks. Rank 0 only sends.
// W. D. Hillis, G. L. Steele, "Data parallel algorithms", 1986; the shift is the "1-doubling" of
// J. L. Träff, "Optimal exclusive prefix sums", 2025.
#include "plan/patterns.hpp"
#include "plan/solver.hpp"
#include "plan/solvers/growing.hpp"

namespace mpix::plan::exscan_recursive_doubling {
namespace {

bool applicable(const Shape& shape) { return !shape.is_piece; }

double cost(const Shape& shape, const Model& model) {
    const auto bytes = static_cast<double>(shape.total);
    return model.message(bytes) +
           ceil_log2(shape.ranks - 1) * (model.message(bytes) + bytes * model.reduce_us);
}

void build(const Problem& problem, Builder& plan) {
    const int n = problem.shape.ranks;
    const int rank = problem.rank;
    if (rank + 1 < n) plan.send(rank + 1, problem.send[0]);
    if (rank == 0) return;
    plan.recv(rank - 1, problem.recv[0]);
    Growing sum(plan, problem.recv[0], problem.recv[0]);
    for (int distance = 1; distance < n - 1; distance *= 2) {
        if (rank + distance < n) plan.send(rank + distance, sum.place());
        if (rank - distance >= 1) sum.combine(rank - distance, true);
    }
    plan.copy(sum.place(), problem.recv[0]);
}

} // namespace

extern const Solver solver{"exscan_recursive_doubling", Kind::exscan, applicable, cost, build};

} // namespace mpix::plan::exscan_recursive_doubling
