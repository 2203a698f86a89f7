// SPDX-License-Identifier: BSD-3-Clause
//
// Pairwise reduce_scatter: in round k every rank gets its own segment from the rank k before it and
// combines it. The ranks below come in falling order, then those above in falling order; each group
// has a sum of its own and the two are combined last, so that rank order is kept: it serves
// non-commutative operations, for any number of ranks. R. Thakur, R. Rabenseifner, W. Gropp,
// "Optimization of Collective Communication Operations in MPICH", 2005, section 4.3; the two sums
// are ours.
#include "plan/patterns.hpp"
#include "plan/solver.hpp"

namespace mpix::plan::reduce_scatter_pairwise {
namespace {

bool applicable(const Shape& shape) { return may_go_from_right(shape); }

double cost(const Shape& shape, const Model& model) {
    const auto block = static_cast<double>(shape.largest);
    const double round = model.message(block) + (model.crossing - 1) * block * model.per_byte_us +
                         model.exchanging() + block * model.reduce_us;
    return (shape.ranks - 1) * round + 2 * block * model.copy_us;
}

void send_all(const Problem& problem, Builder& plan) {
    const int n = problem.shape.ranks;
    for (int distance = 1; distance < n; ++distance) {
        const int to = ring(problem.rank, distance, n);
        plan.send(to, problem.send[static_cast<std::size_t>(to)]);
    }
}

void build(const Problem& problem, Builder& plan) {
    const int last = problem.shape.ranks - 1;
    const Bytes bytes = problem.recv[0].bytes;
    send_all(problem, plan);
    Place low = problem.send[static_cast<std::size_t>(problem.rank)];
    // Two places in turn: their reuse paces the rounds.
    const Place buffers[] = {plan.scratch(bytes), plan.scratch(bytes)};
    if (problem.rank > 0) {
        const Place sum = plan.scratch(bytes);
        plan.copy(low, sum);
        low = sum;
    }
    for (int from = problem.rank - 1; from >= 0; --from) {
        plan.recv(from, buffers[from % 2]);
        plan.reduce(buffers[from % 2], low);
    }
    if (problem.rank == last) return plan.copy(low, problem.recv[0]);
    const Place high = plan.scratch(bytes);
    plan.recv(last, high);
    for (int from = last - 1; from > problem.rank; --from) {
        plan.recv(from, buffers[from % 2]);
        plan.reduce(buffers[from % 2], high);
    }
    plan.reduce(low, high);
    plan.copy(high, problem.recv[0]);
}

} // namespace

extern const Solver solver{"reduce_scatter_pairwise", Kind::reduce_scatter, applicable, cost,
                           build};

} // namespace mpix::plan::reduce_scatter_pairwise
