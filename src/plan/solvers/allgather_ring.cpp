// SPDX-License-Identifier: BSD-3-Clause
//
// Ring allgather: every rank passes on to the next the block it got last, straight from and into
// the receive buffer; after n - 1 rounds all have been everywhere. R. Thakur, R. Rabenseifner,
// W. Gropp, "Optimization of Collective Communication Operations in MPICH", 2005, section 4.1.
#include "plan/patterns.hpp"
#include "plan/solver.hpp"

namespace mpix::plan::allgather_ring {
namespace {

bool applicable(const Shape&) { return true; }

// A large block holds every rank up in turn.
double cost(const Shape& shape, const Model& model) {
    const auto block = static_cast<double>(shape.largest);
    return (shape.ranks - 1) * model.relayed_message(block) + block * model.copy_us;
}

void build(const Problem& problem, Builder& plan) {
    const int n = problem.shape.ranks;
    Place newest = problem.send[0];
    for (int round = 1; round < n; ++round) {
        const int origin = ring(problem.rank, -round, n);
        plan.send(ring(problem.rank, 1, n), newest);
        newest = problem.recv[static_cast<std::size_t>(origin)];
        plan.recv(ring(problem.rank, -1, n), newest);
    }
    plan.copy(problem.send[0], problem.recv[static_cast<std::size_t>(problem.rank)]);
}

} // namespace

extern const Solver solver{"allgather_ring", Kind::allgather, applicable, cost, build};

} // namespace mpix::plan::allgather_ring
