// SPDX-License-Identifier: BSD-3-Clause
//
// Two-level gather: each node gathers its blocks at its leader, and the leaders theirs at the root.
// N. Karonis, B. de Supinski, I. Foster, W. Gropp, E. Lusk, J. Bresnahan, "Exploiting hierarchy in
// parallel computer networks to optimize collective operation performance", 2000.
#include "plan/packing.hpp"
#include "plan/solvers/levels.hpp"

#include <algorithm>

namespace mpix::plan::gather_two_level {
namespace {

bool applicable(const Shape& shape) { return has_levels(shape); }

Shape within(const Shape& shape) {
    Shape part = shape_within(shape, Kind::gather);
    part.total = std::min(part.total, part.ranks * part.largest);
    return part;
}

Shape between(const Shape& shape) {
    return with_blocks(shape_between(shape, Kind::gather), shape.nodes.largest() * shape.largest);
}

double cost(const Shape& shape, const Model& model) {
    return cost_of_part(within(shape), model) + cost_of_part(between(shape), model);
}

// The root's own node sends it nothing more.
void gather_nodes(const Problem& problem, const Levels& levels, const Place& own, Builder& plan) {
    const int root = problem.shape.nodes.of(problem.shape.root);
    Part part{.shape = between(problem.shape),
              .ranks = levels.leaders,
              .self = levels.node,
              .root = root,
              .send = {own},
              .sizes = sizes_of_nodes(levels, problem.sizes)};
    if (problem.rank != problem.shape.root) return solve(part, plan);
    const NodeBlocks by_node(plan, levels, problem.recv, root);
    part.send = {by_node.of(root)};
    part.recv = by_node.joined();
    solve(part, plan);
    by_node.unpack();
}

void build(const Problem& problem, Builder& plan) {
    const Levels levels(problem, true);
    const RankList& mates = levels.mates();
    Part part{.shape = within(problem.shape),
              .ranks = mates,
              .self = levels.self,
              .root = levels.leader_in_node(),
              .send = {problem.send[0]},
              .sizes = sizes_of(mates, problem.sizes)};
    Place own = problem.send[0];
    if (problem.rank == problem.shape.root) {
        part.recv = places_of(mates, problem.recv);
    } else if (levels.is_leader()) {
        if (mates.size() > 1) own = plan.scratch(sum_of(part.sizes));
        part.recv = slices(own, part.sizes);
    }
    solve(part, plan);
    if (levels.is_leader()) gather_nodes(problem, levels, own, plan);
}

} // namespace

extern const Solver solver{"gather_two_level", Kind::gather, applicable, cost, build};

} // namespace mpix::plan::gather_two_level
