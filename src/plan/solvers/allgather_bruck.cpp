// SPDX-License-Identifier: BSD-3-Clause
//
// Bruck's allgather, at any number of ranks and with blocks of any size: in round k a rank gets,
// from the one 2^k further on, the blocks that follow those it has. Blocks are kept in the order
// of the ring, its own first, and copied to their places at the end. J. Bruck et al., "Efficient
// Algorithms for All-to-All Communications in Multiport Message-Passing Systems", 1997.
#include "plan/packing.hpp"
#include "plan/patterns.hpp"
#include "plan/solver.hpp"

#include <algorithm>

namespace mpix::plan::allgather_bruck {
namespace {

bool applicable(const Shape&) { return true; }

double cost(const Shape& shape, const Model& model) {
    const int n = shape.ranks;
    const auto bytes = static_cast<double>(shape.total);
    return model.halving(ceil_log2(n), bytes / 2) +
           bytes * (n - 1) / n * model.per_byte_us * model.crossing * model.relaying() +
           bytes * model.copy_us;
}

void build(const Problem& problem, Builder& plan) {
    const int n = problem.shape.ranks;
    const int rank = problem.rank;
    const Place all = joined(plan, around(problem.recv, rank, n));
    const auto begins = offsets(problem.sizes, rank, n);
    plan.copy(problem.send[0], slice(all, begins, 0, 1));
    Builder::Phases phases(plan);
    for (int have = 1; have < n; have *= 2) {
        const int more = std::min(have, n - have);
        plan.send(ring(rank, -have, n), slice(all, begins, 0, more));
        plan.recv(ring(rank, have, n), slice(all, begins, have, have + more));
        plan.next_phase();
    }
    // In place this rank's own block is where it is to be.
    const int first = problem.send[0] == problem.recv[static_cast<std::size_t>(rank)] ? 1 : 0;
    unpack(plan, slice(all, begins, first, n),
           around(problem.recv, ring(rank, first, n), n - first));
}

} // namespace

extern const Solver solver{"allgather_bruck", Kind::allgather, applicable, cost, build};

} // namespace mpix::plan::allgather_bruck
