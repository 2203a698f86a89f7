// SPDX-License-Identifier: BSD-3-Clause
//
// Among the last ranks of the nodes: the first to know what their node comes to.
#include "plan/solvers/node_prefix.hpp"

#include <algorithm>

namespace mpix::plan {

bool has_levels_to_scan(const Shape& shape) {
    return has_levels(shape) && !shape.is_piece && shape.order != Order::fixed &&
           shape.nodes.are_in_order();
}

double cost_of_node_prefix(const Shape& shape, const Model& model) {
    return cost_of_part(shape_between(shape, Kind::exscan), model) +
           cost_of_part(shape_within(shape, Kind::bcast), model);
}

namespace {

RankList last_of_each(const Levels& levels) {
    if (levels.are_alike()) return levels.lane(levels.size(0) - 1);
    RankList last;
    for (int k = 0; k < levels.nodes(); ++k) last.push_back(levels.rank_at(k, levels.size(k) - 1));
    return last;
}

} // namespace

Place node_prefix(const Problem& problem, const Levels& levels, const Place& sum, Builder& plan) {
    const RankList& mates = levels.mates();
    const Place before = levels.node > 0 ? plan.scratch(problem.send[0].bytes) : Place{};
    if (levels.rank == mates.back()) {
        const RankList last = last_of_each(levels);
        solve({.shape = shape_between(problem.shape, Kind::exscan),
               .ranks = last,
               .self = levels.node,
               .send = {sum},
               .recv = {before}},
              plan);
    }
    if (levels.node > 0)
        solve({.shape = shape_within(problem.shape, Kind::bcast),
               .ranks = mates,
               .self = levels.self,
               .root = static_cast<int>(mates.size()) - 1,
               .send = {before},
               .recv = {before}},
              plan);
    return before;
}

} // namespace mpix::plan
