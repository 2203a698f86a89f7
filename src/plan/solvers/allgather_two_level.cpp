// SPDX-License-Identifier: BSD-3-Clause
//
// Two-level allgather: each node gathers its blocks at its leader, the leaders allgather those of
// the nodes, and each broadcasts all of them in its node. J. L. Traff, "Efficient allgather for
// regular SMP-clusters", EuroPVM/MPI 2006.
#include "plan/packing.hpp"
#include "plan/solvers/levels.hpp"

#include <algorithm>

namespace mpix::plan::allgather_two_level {
namespace {

bool applicable(const Shape& shape) { return has_levels(shape); }

Shape within(const Shape& shape) {
    Shape part = shape_within(shape, Kind::gather);
    part.total = std::min(part.total, part.ranks * part.largest);
    return part;
}

Shape between(const Shape& shape) {
    return with_blocks(shape_between(shape, Kind::allgather),
                       shape.nodes.largest() * shape.largest);
}

Shape spreading(const Shape& shape) {
    return with_blocks(shape_within(shape, Kind::bcast), shape.total);
}

double cost(const Shape& shape, const Model& model) {
    const double unpacking = model.copies(shape.ranks, static_cast<double>(shape.total),
                                          shape.nodes.inside_largest().locality);
    return no_overlap * (cost_of_part(within(shape), model) + cost_of_part(between(shape), model) +
                         cost_of_part(spreading(shape), model)) +
           (shape.nodes.are_in_order() ? 0 : unpacking);
}

// At the leader: all blocks, where the user wants them.
void gather_all(const Problem& problem, const Levels& levels, Part& gathering, Builder& plan) {
    const NodeBlocks by_node(plan, levels, problem.recv);
    const Place own = by_node.of(levels.node);
    gathering.recv = slices(own, gathering.sizes);
    solve(gathering, plan);
    solve({.shape = between(problem.shape),
           .ranks = levels.leaders,
           .self = levels.node,
           .send = {own},
           .recv = by_node.joined(),
           .sizes = sizes_of_nodes(levels, problem.sizes)},
          plan);
    by_node.unpack();
}

void build(const Problem& problem, Builder& plan) {
    const Levels levels(problem, false);
    const RankList& mates = levels.mates();
    Part gathering{.shape = within(problem.shape),
                   .ranks = mates,
                   .self = levels.self,
                   .root = levels.leader_in_node(),
                   .send = {problem.send[0]},
                   .sizes = sizes_of(mates, problem.sizes)};
    const Place all = mates.size() > 1 ? joined(plan, problem.recv) : Place{};
    if (levels.is_leader()) {
        gather_all(problem, levels, gathering, plan);
        if (mates.size() > 1) pack(plan, problem.recv, all);
    } else {
        solve(gathering, plan);
    }
    solve({.shape = spreading(problem.shape),
           .ranks = mates,
           .self = levels.self,
           .root = levels.leader_in_node(),
           .send = {all},
           .recv = {all}},
          plan);
    if (!levels.is_leader()) unpack(plan, all, problem.recv);
}

} // namespace

extern const Solver solver{"allgather_two_level", Kind::allgather, applicable, cost, build};

} // namespace mpix::plan::allgather_two_level
