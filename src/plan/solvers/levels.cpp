// SPDX-License-Identifier: BSD-3-Clause
//
// Which ranks are on which node, and the parts of a plan: their shapes, costs and steps.
#include "plan/solvers/levels.hpp"

#include "plan/planner.hpp"

#include <algorithm>
#include <numeric>

namespace mpix::plan {
namespace {

Model model_of(const Shape& part, const Model& model, int lanes) {
    return part.locality > model.locality ? model.within(part.locality)
                                          : model.between_nodes(lanes);
}

const Solver& solver_of(const Shape& part, const Model& model) {
    return *choose(part, model, [](const Solver&) { return true; });
}

Shape shape_of_part(const Shape& shape, Kind kind, int ranks, const Nodes::Inside& inside) {
    return {.kind = kind,
            .ranks = ranks,
            .commutative = shape.commutative,
            .regular = shape.regular,
            .one_node = inside.locality > Locality::network,
            .locality = inside.locality,
            .nodes = inside.nodes,
            .grain = shape.grain,
            .total = shape.total,
            .largest = shape.largest,
            .is_piece = shape.is_piece};
}

} // namespace

Levels::Levels(const Problem& problem, bool has_root)
    : rank(problem.rank), node(problem.shape.nodes.of(rank)), nodes_(problem.shape.nodes),
      mates_(nodes_.ranks(node)) {
    self = static_cast<int>(std::ranges::find(mates_, rank) - mates_.begin());
    leaders = lane(0);
    if (has_root)
        leaders[static_cast<std::size_t>(nodes_.of(problem.shape.root))] = problem.shape.root;
}

std::vector<int> Levels::lane(int position) const {
    std::vector<int> found(static_cast<std::size_t>(nodes()));
    for (int k = 0; k < nodes(); ++k) found[static_cast<std::size_t>(k)] = nodes_.rank(k, position);
    return found;
}

int Levels::leader_in_node() const {
    return static_cast<int>(std::ranges::find(mates(), leader()) - mates().begin());
}

bool has_levels(const Shape& shape) {
    const int nodes = shape.nodes.count();
    return nodes > 1 && nodes < shape.ranks;
}

bool has_levels_to_reduce(const Shape& shape) {
    return has_levels(shape) && shape.order != Order::fixed &&
           (shape.commutative || shape.nodes.are_in_order());
}

std::vector<Place> places_of(const std::vector<int>& ranks, const std::vector<Place>& places) {
    std::vector<Place> found;
    found.reserve(ranks.size());
    for (const int rank : ranks) found.push_back(places[static_cast<std::size_t>(rank)]);
    return found;
}

std::vector<Bytes> sizes_of(const std::vector<int>& ranks, const std::vector<Bytes>& sizes) {
    std::vector<Bytes> found;
    found.reserve(ranks.size());
    for (const int rank : ranks) found.push_back(sizes[static_cast<std::size_t>(rank)]);
    return found;
}

Bytes sum_of(const std::vector<Bytes>& sizes) {
    return std::accumulate(sizes.begin(), sizes.end(), Bytes{0});
}

std::vector<Bytes> sizes_of_nodes(const Levels& levels, const std::vector<Bytes>& sizes) {
    std::vector<Bytes> found;
    found.reserve(static_cast<std::size_t>(levels.nodes()));
    for (int node = 0; node < levels.nodes(); ++node)
        found.push_back(sum_of(sizes_of(levels.ranks(node), sizes)));
    return found;
}

std::vector<Place> slices(const Place& whole, const std::vector<Bytes>& sizes) {
    std::vector<Place> found;
    Bytes begin = 0;
    for (const Bytes size : sizes) {
        found.push_back(whole.part(begin, size));
        begin += size;
    }
    return found;
}

Shape shape_within(const Shape& shape, Kind kind) {
    return shape_of_part(shape, kind, shape.nodes.largest(), shape.nodes.inside_largest());
}

Shape shape_between(const Shape& shape, Kind kind) {
    return shape_of_part(shape, kind, shape.nodes.count(), {{}, shape.locality});
}

Shape with_blocks(Shape part, Bytes largest) {
    part.largest = std::min(largest, part.total);
    return part;
}

double cost_of_part(const Shape& part, const Model& model, int lanes) {
    const Model seen = model_of(part, model, lanes);
    return plan::cost(solver_of(part, seen), part, seen);
}

void solve(const Part& part, Builder& plan) {
    if (part.ranks.size() == 1) {
        if (!part.send.empty() && !part.recv.empty()) plan.copy(part.send[0], part.recv[0]);
        return;
    }
    Problem problem;
    problem.shape = part.shape;
    problem.shape.ranks = static_cast<int>(part.ranks.size());
    problem.shape.root = part.root;
    problem.rank = part.self;
    problem.send = part.send;
    problem.recv = part.recv;
    problem.sizes = part.sizes;
    const Model whole = plan.model();
    if (part.shape.locality > whole.locality) {
        const Nodes::Inside inside = plan.nodes().inside(part.ranks);
        problem.shape.locality = inside.locality;
        problem.shape.nodes = inside.nodes;
    }
    const Model model = model_of(problem.shape, whole, part.lanes);
    const Builder::Among among(plan, part.ranks, problem.shape.nodes);
    plan.choose_by(seen_from(problem.shape, model));
    solver_of(problem.shape, model).build(problem, plan);
    plan.choose_by(whole);
}

} // namespace mpix::plan
