// SPDX-License-Identifier: BSD-3-Clause
//
// Ring reduce_scatter: the sum of a segment starts at the rank after its owner and travels round
// the ring, each rank adding its own share. Only neighbours talk. A sum begins at another rank for
// each segment, so the operation must commute. P. Patarasuk, X. Yuan, "Bandwidth optimal all-reduce
// algorithms for clusters of workstations", 2009, first phase.
#include "plan/patterns.hpp"
#include "plan/solver.hpp"

#include <algorithm>

namespace mpix::plan::reduce_scatter_ring {
namespace {

bool applicable(const Shape& shape) { return shape.commutative; }

double cost(const Shape& shape, const Model& model) {
    const auto block = static_cast<double>(shape.largest);
    return (shape.ranks - 1) *
               (model.relayed_message(block) + model.exchanging() + block * model.reduce_us) +
           block * model.copy_us;
}

void build(const Problem& problem, Builder& plan) {
    const int n = problem.shape.ranks;
    const auto segment = [&](int distance) {
        return problem.send[static_cast<std::size_t>(ring(problem.rank, distance, n))];
    };
    if (n == 1) return plan.copy(segment(0), problem.recv[0]);
    const Bytes longest = *std::max_element(problem.sizes.begin(), problem.sizes.end());
    const Place buffers[] = {plan.scratch(longest), plan.scratch(longest)};
    Place sum = segment(-1);
    for (int round = 0; round < n - 1; ++round) {
        plan.send(ring(problem.rank, 1, n), sum);
        const Place share = segment(-2 - round);
        sum = buffers[round % 2].part(0, share.bytes);
        plan.recv(ring(problem.rank, -1, n), sum);
        plan.reduce(share, sum);
    }
    plan.copy(sum, problem.recv[0]);
}

} // namespace

extern const Solver solver{"reduce_scatter_ring", Kind::reduce_scatter, applicable, cost, build};

} // namespace mpix::plan::reduce_scatter_ring
