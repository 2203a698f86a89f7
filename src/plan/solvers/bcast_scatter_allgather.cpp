// SPDX-License-Identifier: BSD-3-Clause
//
// Van de Geijn's broadcast: the vector is cut into a segment a rank, the segments are scattered
// down a binomial tree, and a ring allgathers them. M. Barnett et al., "Interprocessor Collective
// Communication Library (InterCom)", 1994. Changed: the scatter leaves an inner rank with the
// segments of its whole subtree, and the ring does not send them to it again.
#include "plan/patterns.hpp"
#include "plan/solver.hpp"

namespace mpix::plan::bcast_scatter_allgather {
namespace {

bool applicable(const Shape& shape) { return !shape.is_piece; }

double cost(const Shape& shape, const Model& model) {
    const int n = shape.ranks;
    const double segment = static_cast<double>(shape.total) / n;
    const double scatter = model.halving(ceil_log2(n), static_cast<double>(shape.total) / 2) +
                           (n - 1) * segment * model.per_byte_us;
    return scatter + (n - 1) * model.message(segment);
}

struct Cutting {
    const Shape& shape;
    const Place& data;

    int rank(int virtual_rank) const { return ring(virtual_rank, shape.root, shape.ranks); }
    Place segment(int index) const { return cut(shape, data, shape.ranks, index); }
    Place subtree(int v) const {
        const Bytes begin = cut_begin(shape, data.bytes, shape.ranks, v);
        const int end = binomial_end(v, shape.ranks);
        return data.part(begin, cut_begin(shape, data.bytes, shape.ranks, end) - begin);
    }
};

void scatter(const Cutting& cutting, int self, Builder& plan) {
    if (self != 0) plan.recv(cutting.rank(binomial_parent(self)), cutting.subtree(self));
    Builder::OneByOne one_by_one(plan);
    for (const int child : binomial_children(self, cutting.shape.ranks))
        plan.send(cutting.rank(child), cutting.subtree(child));
}

void allgather(const Cutting& cutting, int self, Builder& plan) {
    const int n = cutting.shape.ranks;
    const auto lacks = [n](int v, int index) { return index < v || index >= binomial_end(v, n); };
    const int next = ring(self, 1, n);
    for (int round = 0; round < n - 1; ++round) {
        const int mine = ring(self, -round, n);
        const int theirs = ring(mine, -1, n);
        if (lacks(next, mine)) plan.send(cutting.rank(next), cutting.segment(mine));
        if (lacks(self, theirs))
            plan.recv(cutting.rank(ring(self, -1, n)), cutting.segment(theirs));
    }
}

void build(const Problem& problem, Builder& plan) {
    const int self = ring(problem.rank, -problem.shape.root, problem.shape.ranks);
    const Cutting cutting{problem.shape, self == 0 ? problem.send[0] : problem.recv[0]};
    scatter(cutting, self, plan);
    allgather(cutting, self, plan);
}

} // namespace

extern const Solver solver{"bcast_scatter_allgather", Kind::bcast, applicable, cost, build};

} // namespace mpix::plan::bcast_scatter_allgather
