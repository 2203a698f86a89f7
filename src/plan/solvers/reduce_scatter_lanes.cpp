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

// Of nodes and segments that are alike: one of each node, in the same place.
bool are_alike(const Problem& problem, const Levels& levels) {
    return levels.are_alike() && are_gapless(problem.send);
}

// Of those that this rank's lane has, by node.
Sizes sizes_of_lane(const Problem& problem, const Levels& levels, int lanes) {
    if (are_alike(problem, levels))
        return Sizes::regular(problem.sizes.front(), 0, static_cast<std::size_t>(levels.nodes()));
    Sizes sizes;
    for (int k = 0; k < levels.nodes(); ++k)
        sizes.push_back(sum_of(sizes_of(levels.served(k, levels.self, lanes), problem.sizes)));
    return sizes;
}

void combine_lane(const Problem& problem, const Levels& levels, int lanes, const Place& sums,
                  Builder& plan) {
    const RankList ranks = levels.lane(levels.self);
    const Sizes sizes = sizes_of_lane(problem, levels, lanes);
    const RankList served = levels.served(levels.node, levels.self, lanes);
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

// The whole vector, lane after lane.
struct Packed {
    Place vector;
    Sizes sizes; // of each lane
};

Packed pack_alike(const Problem& problem, const Levels& levels, Builder& plan) {
    const int lanes = levels.size(0), nodes = levels.nodes();
    const Bytes segment = problem.sizes.front(), lane = nodes * segment;
    const Place vector = plan.scratch(lanes * lane);
    for (int i = 0; i < lanes; ++i)
        plan.copy({problem.send[static_cast<std::size_t>(i)], vector.part(i * lane, segment)},
                  nodes, lanes * segment, segment);
    return {vector, Sizes::regular(lane, 0, static_cast<std::size_t>(lanes))};
}

Packed pack_lanes(const Problem& problem, const Levels& levels, int lanes, Builder& plan) {
    if (are_alike(problem, levels)) return pack_alike(problem, levels, plan);
    Blocks order;
    std::vector<Bytes> sizes(levels.mates().size());
    for (int lane = 0; lane < lanes; ++lane)
        for (int k = 0; k < levels.nodes(); ++k)
            for (const int rank : levels.served(k, lane, lanes)) {
                order.push_back(problem.send[static_cast<std::size_t>(rank)]);
                sizes[static_cast<std::size_t>(lane)] +=
                    problem.sizes[static_cast<std::size_t>(rank)];
            }
    const Place vector = joined(plan, order);
    pack(plan, order, vector);
    return {vector, sizes};
}

void build(const Problem& problem, Builder& plan) {
    const Levels levels(problem, false);
    const int lanes = problem.shape.nodes.smallest(), self = levels.self;
    const Packed packed = pack_lanes(problem, levels, lanes, plan);
    const Place sums = plan.scratch(packed.sizes[static_cast<std::size_t>(self)]);
    solve({.shape = within(problem.shape),
           .ranks = levels.mates(),
           .self = levels.self,
           .send = slices(packed.vector, packed.sizes),
           .recv = {sums},
           .sizes = packed.sizes},
          plan);
    if (self < lanes) return combine_lane(problem, levels, lanes, sums, plan);
    plan.recv(levels.rank_at(levels.node, self % lanes), problem.recv[0]);
}

} // namespace

extern const Solver solver{"reduce_scatter_lanes", Kind::reduce_scatter, applicable, cost, build};

} // namespace mpix::plan::reduce_scatter_lanes
