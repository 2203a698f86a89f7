// SPDX-License-Identifier: BSD-3-Clause
//
// Two-level scatter: the root sends the leader of each node the blocks of its ranks, and each
// leader scatters them in its node. N. Karonis, B. de Supinski, I. Foster, W. Gropp, E. Lusk, J.
// Bresnahan, "Exploiting hierarchy in parallel computer networks to optimize collective operation
// performance", 2000.
#include "plan/packing.hpp"
#include "plan/solvers/levels.hpp"

#include <algorithm>

namespace mpix::plan::scatter_two_level {
namespace {

bool applicable(const Shape& shape) { return has_levels(shape); }

Shape within(const Shape& shape) {
    Shape part = shape_within(shape, Kind::scatter);
    part.total = std::min(part.total, part.ranks * part.largest);
    return part;
}

Shape between(const Shape& shape) {
    return with_blocks(shape_between(shape, Kind::scatter), shape.nodes.largest() * shape.largest);
}

double cost(const Shape& shape, const Model& model) {
    return cost_of_part(within(shape), model) + cost_of_part(between(shape), model);
}

// The root's own node gets nothing. Returns what this one gets.
Place scatter_nodes(const Problem& problem, const Levels& levels, Builder& plan) {
    const int root = problem.shape.nodes.of(problem.shape.root);
    Part part{.shape = between(problem.shape),
              .ranks = levels.leaders,
              .self = levels.node,
              .root = root,
              .sizes = sizes_of_nodes(levels, problem.sizes)};
    Place own;
    if (problem.rank == problem.shape.root) {
        const NodeBlocks by_node(plan, levels, problem.send, root);
        by_node.pack();
        part.send = by_node.joined();
        own = by_node.of(root);
    } else {
        own = levels.mates().size() > 1
                  ? plan.scratch(part.sizes[static_cast<std::size_t>(levels.node)])
                  : problem.recv[0];
    }
    part.recv = {own};
    solve(part, plan);
    return own;
}

void build(const Problem& problem, Builder& plan) {
    const Levels levels(problem, true);
    const RankList& mates = levels.mates();
    Part part{.shape = within(problem.shape),
              .ranks = mates,
              .self = levels.self,
              .root = levels.leader_in_node(),
              .recv = problem.recv,
              .sizes = sizes_of(mates, problem.sizes)};
    if (levels.is_leader()) part.send = slices(scatter_nodes(problem, levels, plan), part.sizes);
    if (problem.rank == problem.shape.root) part.send = places_of(mates, problem.send);
    solve(part, plan);
}

} // namespace

extern const Solver solver{"scatter_two_level", Kind::scatter, applicable, cost, build};

} // namespace mpix::plan::scatter_two_level
