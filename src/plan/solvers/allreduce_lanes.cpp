// SPDX-License-Identifier: BSD-3-Clause
//
// Full-lane allreduce: a reduce_scatter in each node, an allreduce of each piece among the ranks
// that have it on all nodes, and an allgather in each node. J. L. Traff, S. Hunold, "Decomposing
// MPI collectives for exploiting multi-lane communication", CLUSTER 2020.
#include "plan/blocks.hpp"
#include "plan/patterns.hpp"
#include "plan/solvers/levels.hpp"

namespace mpix::plan::allreduce_lanes {
namespace {

bool applicable(const Shape& shape) { return has_levels_to_reduce(shape) && !shape.is_piece; }

Bytes piece(const Shape& shape) {
    return cut_begin(shape, shape.total, shape.nodes.smallest(), 1); // the first is the longest
}

Shape within(const Shape& shape, Kind kind) {
    return with_blocks(shape_within(shape, kind), piece(shape));
}

Shape between(const Shape& shape) {
    Shape part = shape_between(shape, Kind::allreduce);
    part.total = part.largest = piece(shape);
    return part;
}

double cost(const Shape& shape, const Model& model) {
    return no_overlap * (cost_of_part(within(shape, Kind::reduce_scatter), model) +
                         cost_of_part(between(shape), model, shape.nodes.smallest()) +
                         cost_of_part(within(shape, Kind::allgather), model));
}

void build(const Problem& problem, Builder& plan) {
    const Shape& shape = problem.shape;
    const Levels levels(problem, false);
    const int lanes = shape.nodes.smallest();
    std::vector<Bytes> sizes(levels.mates().size());
    for (int lane = 0; lane < lanes; ++lane)
        sizes[static_cast<std::size_t>(lane)] = cut(shape, problem.send[0], lanes, lane).bytes;
    const Blocks results = slices(problem.recv[0], sizes);
    const Place& result = results[static_cast<std::size_t>(levels.self)];
    const Place sum = plan.scratch(result.bytes);
    solve({.shape = within(shape, Kind::reduce_scatter),
           .ranks = levels.mates(),
           .self = levels.self,
           .send = slices(problem.send[0], sizes),
           .recv = {sum},
           .sizes = sizes},
          plan);
    if (levels.self < lanes) {
        const RankList lane = levels.lane(levels.self);
        solve({.shape = between(shape),
               .ranks = lane,
               .self = levels.node,
               .send = {sum},
               .recv = {result},
               .lanes = lanes},
              plan);
    }
    solve({.shape = within(shape, Kind::allgather),
           .ranks = levels.mates(),
           .self = levels.self,
           .send = {result},
           .recv = results,
           .sizes = sizes},
          plan);
}

} // namespace

extern const Solver solver{"allreduce_lanes", Kind::allreduce, applicable, cost, build};

} // namespace mpix::plan::allreduce_lanes
