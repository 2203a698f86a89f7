// SPDX-License-Identifier: BSD-3-Clause
//
// Pairwise alltoall: in round k ranks whose sum is k, modulo n, exchange their blocks, one round
// after the other, so that no rank is flooded. R. Thakur, R. Rabenseifner, W. Gropp, "Optimization
// of Collective Communication Operations in MPICH", 2005, section 4.4. Changed: pairs at any number
// of ranks, so that in place needs room for one block and not for all.
#include "plan/patterns.hpp"
#include "plan/solver.hpp"

#include <algorithm>

namespace mpix::plan::alltoall_pairwise {
namespace {

bool applicable(const Shape&) { return true; }

double cost(const Shape& shape, const Model& model) {
    const auto block = static_cast<double>(shape.largest);
    return (shape.ranks - 1) * (model.message(block) + model.exchanging()) + block * model.copy_us;
}

// Room for the block that is on its way out while another arrives in its place.
Place exchange_room(const Problem& problem, Builder& plan) {
    Bytes longest = 0;
    for (std::size_t r = 0; r < problem.send.size(); ++r)
        if (problem.send[r] == problem.recv[r]) longest = std::max(longest, problem.send[r].bytes);
    return plan.scratch(longest);
}

void build(const Problem& problem, Builder& plan) {
    const int n = problem.shape.ranks;
    const Place room = exchange_room(problem, plan);
    for (int round = 0; round < n; ++round) {
        const int partner = ring(round, -problem.rank, n);
        const Place& in = problem.recv[static_cast<std::size_t>(partner)];
        Place out = problem.send[static_cast<std::size_t>(partner)];
        if (partner == problem.rank) {
            plan.copy(out, in);
            continue;
        }
        if (out == in) {
            plan.copy(out, room.part(0, out.bytes));
            out = room.part(0, out.bytes);
        }
        plan.send(partner, out);
        plan.recv(partner, in);
        plan.fence();
    }
}

} // namespace

extern const Solver solver{"alltoall_pairwise", Kind::alltoall, applicable, cost, build};

} // namespace mpix::plan::alltoall_pairwise
