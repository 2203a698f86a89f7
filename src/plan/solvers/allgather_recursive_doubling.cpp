// SPDX-License-Identifier: BSD-3-Clause
//
// Recursive doubling allgather: partners at distance 1, 2, 4 ... exchange all blocks they have, as
// one message. It works straight in the receive buffer where the blocks are adjacent there. R.
// Thakur, R. Rabenseifner, W. Gropp, "Optimization of Collective Communication Operations in
// MPICH", 2005, section 4.1. Only for powers of two; Bruck's serves the others as well.
#include "plan/packing.hpp"
#include "plan/patterns.hpp"
#include "plan/solver.hpp"

namespace mpix::plan::allgather_recursive_doubling {
namespace {

bool applicable(const Shape& shape) { return power_below(shape.ranks) == shape.ranks; }

// Irregular blocks are rarely adjacent.
double cost(const Shape& shape, const Model& model) {
    const int n = shape.ranks;
    const auto bytes = static_cast<double>(shape.total);
    const auto copied = shape.regular ? static_cast<double>(shape.largest) : bytes;
    return model.halving(ceil_log2(n), bytes / 2) +
           bytes * (n - 1) / n * model.per_byte_us * model.crossing * model.relaying() +
           copied * model.copy_us;
}

void build(const Problem& problem, Builder& plan) {
    const int n = problem.shape.ranks;
    const int rank = problem.rank;
    const auto begins = offsets(problem.sizes, 0, n);
    const Place all = joined(plan, problem.recv);
    plan.copy(problem.send[0], slice(all, begins, rank, rank + 1));
    Builder::Phases phases(plan);
    for (int distance = 1; distance < n; distance *= 2) {
        const int mine = rank & -distance;
        const int theirs = mine ^ distance;
        plan.send(rank ^ distance, slice(all, begins, mine, mine + distance));
        plan.recv(rank ^ distance, slice(all, begins, theirs, theirs + distance));
        plan.next_phase();
    }
    // In place this rank's own block is where it is to be.
    const bool is_there = problem.send[0] == problem.recv[static_cast<std::size_t>(rank)];
    const int end = is_there ? rank : n;
    unpack(plan, slice(all, begins, 0, end), around(problem.recv, 0, end));
    if (is_there)
        unpack(plan, slice(all, begins, rank + 1, n), around(problem.recv, rank + 1, n - rank - 1));
}

} // namespace

extern const Solver solver{"allgather_recursive_doubling", Kind::allgather, applicable, cost,
                           build};

} // namespace mpix::plan::allgather_recursive_doubling
