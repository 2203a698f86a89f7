// SPDX-License-Identifier: BSD-3-Clause
//
// Full-lane allgather: the ranks of the same place on all nodes exchange their blocks, and each
// tells its node what has come in its lane. So every rank of a node sends to others, and what
// crosses does so once. J. L. Traff, S. Hunold, "Decomposing MPI collectives for exploiting
// multi-lane communication", CLUSTER 2020.
#include "plan/packing.hpp"
#include "plan/patterns.hpp"
#include "plan/solvers/levels.hpp"

#include <algorithm>

namespace mpix::plan::allgather_lanes {
namespace {

bool applicable(const Shape& shape) { return has_levels(shape) && !shape.is_piece; }

bool are_alike(const Shape& shape) { return shape.nodes.smallest() == shape.nodes.largest(); }

// Blocks of a node in a lane, at most.
Bytes most_of_lane(const Shape& shape) {
    const int lanes = shape.nodes.smallest();
    return (shape.nodes.largest() + lanes - 1) / lanes * shape.largest;
}

Shape between(const Shape& shape) {
    Shape part = with_blocks(shape_between(shape, Kind::allgather), most_of_lane(shape));
    part.total = std::min(part.total, part.ranks * part.largest);
    part.regular = part.regular && are_alike(shape);
    return part;
}

// Of all that has come in the lanes at once.
Shape within(const Shape& shape) {
    Shape part = with_blocks(shape_within(shape, Kind::allgather),
                             shape.nodes.count() * most_of_lane(shape));
    part.regular = part.regular && are_alike(shape);
    return part;
}

// Of the blocks of one node.
Shape within_of_node(const Shape& shape) {
    Shape part = with_blocks(shape_within(shape, Kind::allgather), shape.largest);
    part.total = std::min(part.total, part.ranks * part.largest);
    return part;
}

// Node after node blocks go to their places, and need not be copied there.
bool goes_by_nodes(const Shape& shape, const Model& model) {
    const Link link = model.link(shape.nodes.inside_largest().locality);
    return are_alike(shape) &&
           2 * link.overhead_us < static_cast<double>(shape.largest) * model.copy_us;
}

double cost_within(const Shape& shape, const Model& model) {
    const Locality node = shape.nodes.inside_largest().locality;
    if (!goes_by_nodes(shape, model)) {
        // Of ranks that are dealt to the nodes the lanes follow each other as they are wanted.
        const bool is_wanted_so = !shape.nodes.are_in_order();
        const double unpacking = model.copies(shape.ranks, static_cast<double>(shape.total), node);
        return cost_of_part(within(shape), model) + (is_wanted_so ? 0 : unpacking);
    }
    const int messages = (shape.nodes.count() - 1) * (shape.nodes.largest() - 1);
    return cost_of_part(within(shape), model) + 2 * messages * model.link(node).overhead_us;
}

double cost(const Shape& shape, const Model& model) {
    return no_overlap * (cost_of_part(between(shape), model, shape.nodes.smallest()) +
                         cost_within(shape, model));
}

void build_by_nodes(const Problem& problem, const Levels& levels, Builder& plan) {
    const int lanes = problem.shape.nodes.smallest();
    const RankList lane = levels.lane(levels.self);
    const Blocks places = places_of(lane, problem.recv);
    solve({.shape = between(problem.shape),
           .ranks = lane,
           .self = levels.node,
           .send = {problem.send[0]},
           .recv = places,
           .sizes = sizes_of(lane, problem.sizes),
           .lanes = lanes},
          plan);
    for (int k = 0; k < levels.nodes(); ++k) {
        const int node = ring(levels.node, -k, levels.nodes()); // a ring brings them so
        const RankList ranks = levels.ranks(node);
        solve({.shape = within_of_node(problem.shape),
               .ranks = levels.mates(),
               .self = levels.self,
               .send = {places[static_cast<std::size_t>(node)]},
               .recv = places_of(ranks, problem.recv),
               .sizes = sizes_of(ranks, problem.sizes)},
              plan);
    }
}

// Of the lane: all its groups, which follow each other in `all`.
void exchange(const Problem& problem, const Levels& levels, int lanes, const Place& all,
              Builder& plan) {
    Sizes sizes;
    for (int k = 0; k < levels.nodes(); ++k)
        sizes.push_back(sum_of(sizes_of(levels.served(k, levels.self, lanes), problem.sizes)));
    const Blocks groups = slices(all, sizes);
    const Place& own = groups[static_cast<std::size_t>(levels.node)];
    const RankList served = levels.served(levels.node, levels.self, lanes);
    const Blocks blocks = slices(own, sizes_of(served, problem.sizes));
    plan.copy(problem.send[0], blocks[0]);
    for (std::size_t i = 1; i < served.size(); ++i) plan.recv(served[i], blocks[i]);
    const RankList lane = levels.lane(levels.self);
    solve({.shape = between(problem.shape),
           .ranks = lane,
           .self = levels.node,
           .send = {own},
           .recv = groups,
           .sizes = sizes,
           .lanes = lanes},
          plan);
}

void build_at_once(const Problem& problem, const Levels& levels, Builder& plan) {
    const int lanes = problem.shape.nodes.smallest();
    Blocks order;
    std::vector<Bytes> sizes(levels.mates().size()); // of each lane
    for (int lane = 0; lane < lanes; ++lane)
        for (int k = 0; k < levels.nodes(); ++k)
            for (const int rank : levels.served(k, lane, lanes)) {
                order.push_back(problem.recv[static_cast<std::size_t>(rank)]);
                sizes[static_cast<std::size_t>(lane)] +=
                    problem.sizes[static_cast<std::size_t>(rank)];
            }
    const Place all = joined(plan, order);
    const Blocks of_lanes = slices(all, sizes);
    const Place& own = of_lanes[static_cast<std::size_t>(levels.self)];
    if (levels.self < lanes)
        exchange(problem, levels, lanes, own, plan);
    else
        plan.send(levels.rank_at(levels.node, levels.self % lanes), problem.send[0]);
    solve({.shape = within(problem.shape),
           .ranks = levels.mates(),
           .self = levels.self,
           .send = {own},
           .recv = of_lanes,
           .sizes = sizes},
          plan);
    unpack(plan, all, order);
}

void build(const Problem& problem, Builder& plan) {
    const Levels levels(problem, false);
    if (goes_by_nodes(problem.shape, plan.model()))
        build_by_nodes(problem, levels, plan);
    else
        build_at_once(problem, levels, plan);
}

} // namespace

extern const Solver solver{"allgather_lanes", Kind::allgather, applicable, cost, build};

} // namespace mpix::plan::allgather_lanes
