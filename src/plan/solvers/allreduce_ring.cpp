// SPDX-License-Identifier: BSD-3-Clause
//
// Ring allreduce: each segment travels round the ring once to be combined and once to be known.
// Only neighbours talk, and each byte is sent about twice. The sum of a segment begins at another
// rank for each segment, so the operation must commute. P. Patarasuk, X. Yuan, "Bandwidth optimal
// all-reduce algorithms for clusters of workstations", 2009.
#include "plan/patterns.hpp"
#include "plan/solver.hpp"

namespace mpix::plan::allreduce_ring {
namespace {

bool applicable(const Shape& shape) { return shape.commutative && !shape.is_piece; }

double cost(const Shape& shape, const Model& model) {
    const double segment = static_cast<double>(shape.total) / shape.ranks;
    return (shape.ranks - 1) * (2 * model.message(segment) + segment * model.reduce_us) +
           segment * model.copy_us;
}

// Afterwards segment `rank` of the result is complete.
void combine(const Problem& problem, Builder& plan) {
    const Shape& shape = problem.shape;
    const int n = shape.ranks;
    const Place& mine = problem.send[0];
    const Place& result = problem.recv[0];
    const bool in_place = mine == result;
    const Bytes longest = in_place ? cut(shape, result, n, 0).bytes : 0;
    const Place theirs[] = {plan.scratch(longest), plan.scratch(longest)};
    for (int round = 0; round < n - 1; ++round) {
        const Place& source = round == 0 ? mine : result;
        plan.send(ring(problem.rank, 1, n),
                  cut(shape, source, n, ring(problem.rank, -1 - round, n)));
        const int segment = ring(problem.rank, -2 - round, n);
        const Place sum = cut(shape, result, n, segment);
        const Place arrived = in_place ? theirs[round % 2].part(0, sum.bytes) : sum;
        plan.recv(ring(problem.rank, -1, n), arrived);
        plan.reduce(in_place ? arrived : cut(shape, mine, n, segment), sum);
    }
}

void spread(const Problem& problem, Builder& plan) {
    const int n = problem.shape.ranks;
    const auto segment = [&](int distance) {
        return cut(problem.shape, problem.recv[0], n, ring(problem.rank, distance, n));
    };
    for (int round = 0; round < n - 1; ++round) {
        plan.send(ring(problem.rank, 1, n), segment(-round));
        plan.recv(ring(problem.rank, -1, n), segment(-1 - round));
    }
}

void build(const Problem& problem, Builder& plan) {
    if (problem.shape.ranks == 1) return plan.copy(problem.send[0], problem.recv[0]);
    combine(problem, plan);
    spread(problem, plan);
}

} // namespace

extern const Solver solver{"allreduce_ring", Kind::allreduce, applicable, cost, build};

} // namespace mpix::plan::allreduce_ring
