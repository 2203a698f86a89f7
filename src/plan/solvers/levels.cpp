// SPDX-License-Identifier: BSD-3-Clause
//
// The parts are chosen like any plan, by models that every rank has: the planner's own is not known
// where a plan is built, and the ends must agree.
#include "plan/solvers/levels.hpp"

#include "plan/planner.hpp"

#include <algorithm>

namespace mpix::plan {
namespace {

int count_nodes(const Shape& shape) {
    return shape.nodes.empty() ? 0 : *std::max_element(shape.nodes.begin(), shape.nodes.end()) + 1;
}

int largest_node(const Shape& shape) {
    std::vector<int> sizes(static_cast<std::size_t>(count_nodes(shape)));
    for (const int node : shape.nodes) ++sizes[static_cast<std::size_t>(node)];
    return *std::max_element(sizes.begin(), sizes.end());
}

const Solver& solver_of(const Shape& part) {
    const Model model = part.one_node ? Model::of_node() : Model{};
    return *choose(part, model, [](const Solver&) { return true; });
}

Shape shape_of_part(const Shape& shape, Kind kind, int ranks, bool one_node) {
    return {.kind = kind,
            .ranks = ranks,
            .commutative = shape.commutative,
            .one_node = one_node,
            .grain = shape.grain,
            .total = shape.total,
            .largest = shape.largest,
            .is_piece = shape.is_piece};
}

} // namespace

Levels::Levels(const Problem& problem, bool has_root)
    : rank(problem.rank), node(problem.shape.nodes[static_cast<std::size_t>(problem.rank)]),
      leaders(static_cast<std::size_t>(count_nodes(problem.shape)), -1) {
    const std::vector<int>& nodes = problem.shape.nodes;
    for (int r = 0; r < problem.shape.ranks; ++r) {
        const int of = nodes[static_cast<std::size_t>(r)];
        int& leader = leaders[static_cast<std::size_t>(of)];
        if (leader < 0 || (has_root && r == problem.shape.root)) leader = r;
        if (of == node) mates.push_back(r);
    }
}

int Levels::leader_in_node() const {
    const int leader = leaders[static_cast<std::size_t>(node)];
    return static_cast<int>(std::find(mates.begin(), mates.end(), leader) - mates.begin());
}

bool has_levels(const Shape& shape) {
    const int nodes = count_nodes(shape);
    return nodes > 1 && nodes < shape.ranks;
}

bool has_levels_to_reduce(const Shape& shape) {
    return has_levels(shape) && shape.order != Order::fixed &&
           (shape.commutative || std::is_sorted(shape.nodes.begin(), shape.nodes.end()));
}

Shape shape_within(const Shape& shape, Kind kind) {
    return shape_of_part(shape, kind, largest_node(shape), true);
}

Shape shape_between(const Shape& shape, Kind kind) {
    return shape_of_part(shape, kind, count_nodes(shape), false);
}

double cost_of_levels(const Shape& shape, const Model& model, const Kind* first, Kind between,
                      const Kind* last) {
    double cost = 0;
    for (const Kind* kind : {first, last}) {
        if (!kind) continue;
        const Shape part = shape_within(shape, *kind);
        cost += solver_of(part).cost(part, model.within_node());
    }
    const Shape part = shape_between(shape, between);
    return cost + solver_of(part).cost(part, model);
}

void solve_part(Kind kind, const Shape& part, const std::vector<int>& ranks, int self, int root,
                const Place& send, const Place& recv, Builder& plan) {
    Problem problem;
    problem.shape = part;
    problem.shape.kind = kind;
    // The largest node decides how; this one may be smaller.
    problem.shape.ranks = static_cast<int>(ranks.size());
    problem.shape.root = root;
    problem.rank = self;
    problem.send = {send};
    problem.recv = {recv};
    if (ranks.size() == 1) return plan.copy(send, recv);
    const Builder::Among among(plan, ranks);
    solver_of(part).build(problem, plan);
}

} // namespace mpix::plan
