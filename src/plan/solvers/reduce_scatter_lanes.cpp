// SPDX-License-Identifier: BSD-3-Clause
//
// Full-lane reduce_scatter: the ranks of a node combine their vectors, each those segments that it
// deals with, and those of the same place on all nodes combine what they have. J. L. Traff, S.
// Hunold, "Decomposing MPI collectives for exploiting multi-lane communication", CLUSTER 2020.
#include "plan/packing.hpp"
#include "plan/solvers/levels.hpp"

#include <algorithm>

namespace mpix::plan::reduce_scatter_lanes {
namespace {

bool applicable(const Shape& shape) { return has_levels_to_reduce(shape) && !shape.is_piece; }

// Segments of a node in a lane, at most.
Bytes most_of_lane(const Shape& shape) {
    const int lanes = shape.nodes.smallest();
    return (shape.nodes.largest() + lanes - 1) / lanes * shape.largest;
}

Shape within(const Shape& shape) {
    return with_blocks(shape_within(shape, Kind::reduce_scatter),
                       shape.nodes.count() * most_of_lane(shape));
}

Shape between(const Shape& shape) {
    Shape part = with_blocks(shape_between(shape, Kind::reduce_scatter), most_of_lane(shape));
    part.total = std::min(part.total, part.ranks * part.largest);
    return part;
}

double cost(const Shape& shape, const Model& model) {
    return no_overlap * (model.copies(shape.ranks, static_cast<double>(shape.total),
                                      shape.nodes.inside_largest().locality) +
                         cost_of_part(within(shape), model) +
                         cost_of_part(between(shape), model, shape.nodes.smallest()));
}

// The ranks of a node whose segments this lane has.
RankList group(const Levels& levels, int node, int lane, int lanes) {
    RankList found;
    for (int i = lane; i < levels.size(node); i += lanes) found.push_back(levels.rank_at(node, i));
    return found;
}

void combine_lane(const Problem& problem, const Levels& levels, int lanes, const Place& sums,
                  Builder& plan) {
    const RankList ranks = levels.lane(levels.self);
    Sizes sizes;
    for (int k = 0; k < levels.nodes(); ++k)
        sizes.push_back(sum_of(sizes_of(group(levels, k, levels.self, lanes), problem.sizes)));
    const RankList served = group(levels, levels.node, levels.self, lanes);
    const Place result = served.size() == 1
                             ? problem.recv[0]
                             : plan.scratch(sizes[static_cast<std::size_t>(levels.node)]);
    solve({.shape = between(problem.shape),
           .ranks = ranks,
           .self = levels.node,
           .send = slices(sums, sizes),
           .recv = {result},
           .sizes = sizes,
           .lanes = lanes},
          plan);
    const Blocks segments = slices(result, sizes_of(served, problem.sizes));
    plan.copy(segments[0], problem.recv[0]);
    for (std::size_t i = 1; i < served.size(); ++i) plan.send(served[i], segments[i]);
}

void build(const Problem& problem, Builder& plan) {
    const Levels levels(problem, false);
    const int lanes = problem.shape.nodes.smallest(), self = levels.self;
    Blocks order;
    std::vector<Bytes> sizes(levels.mates().size()); // of each lane
    for (int lane = 0; lane < lanes; ++lane)
        for (int k = 0; k < levels.nodes(); ++k)
            for (const int rank : group(levels, k, lane, lanes)) {
                order.push_back(problem.send[static_cast<std::size_t>(rank)]);
                sizes[static_cast<std::size_t>(lane)] +=
                    problem.sizes[static_cast<std::size_t>(rank)];
            }
    const Place vector = joined(plan, order);
    pack(plan, order, vector);
    const Place sums = plan.scratch(sizes[static_cast<std::size_t>(self)]);
    solve({.shape = within(problem.shape),
           .ranks = levels.mates(),
           .self = levels.self,
           .send = slices(vector, sizes),
           .recv = {sums},
           .sizes = sizes},
          plan);
    if (self < lanes) return combine_lane(problem, levels, lanes, sums, plan);
    plan.recv(levels.rank_at(levels.node, self % lanes), problem.recv[0]);
}

} // namespace

extern const Solver solver{"reduce_scatter_lanes", Kind::reduce_scatter, applicable, cost, build};

} // namespace mpix::plan::reduce_scatter_lanes
