// SPDX-License-Identifier: BSD-3-Clause
//
// Which ranks are on which node, and the parts of a plan: their shapes, costs and steps.
#include "plan/solvers/levels.hpp"

#include "plan/packing.hpp"
#include "plan/planner.hpp"

#include <algorithm>

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
    self = nodes_.position(rank);
    leaders = lane(0);
    if (has_root)
        leaders.set(static_cast<std::size_t>(nodes_.of(problem.shape.root)), problem.shape.root);
}

RankList Levels::served(int of_node, int position, int lanes) const {
    RankList found;
    for (int i = position; i < size(of_node); i += lanes) found.push_back(rank_at(of_node, i));
    return found;
}

bool has_levels(const Shape& shape) {
    const int nodes = shape.nodes.count();
    return nodes > 1 && nodes < shape.ranks;
}

bool has_levels_to_reduce(const Shape& shape) {
    return has_levels(shape) && shape.order != Order::fixed &&
           (shape.commutative || shape.nodes.are_in_order());
}

namespace {

template<class Value>
Progression<Value> of(const RankList& ranks, const Progression<Value>& values) {
    if (ranks.is_regular() && values.is_regular() && !ranks.empty())
        return Progression<Value>::regular(values[static_cast<std::size_t>(ranks.front())],
                                           values.stride() * ranks.stride(), ranks.size());
    Progression<Value> found;
    for (const int rank : ranks) found.push_back(values[static_cast<std::size_t>(rank)]);
    return found;
}

} // namespace

Blocks places_of(const RankList& ranks, const Blocks& blocks) { return of(ranks, blocks); }
Sizes sizes_of(const RankList& ranks, const Sizes& sizes) { return of(ranks, sizes); }

Sizes sizes_of_nodes(const Levels& levels, const Sizes& sizes) {
    const auto nodes = static_cast<std::size_t>(levels.nodes());
    if (levels.are_alike() && are_alike(sizes))
        return Sizes::regular(levels.size(0) * sizes.front(), 0, nodes);
    Sizes found;
    for (int node = 0; node < levels.nodes(); ++node)
        found.push_back(sum_of(levels.blocks_of(node, sizes)));
    return found;
}

NodeBlocks::NodeBlocks(Builder& plan, const Levels& levels, const Blocks& blocks, int except)
    : plan_(plan), levels_(levels), blocks_(blocks), except_(except),
      are_in_place_(levels.are_alike() && are_gapless(blocks)) {
    if (are_in_place_) {
        const Place first = blocks.front().part(0, levels.size(0) * blocks.front().bytes);
        joined_ = Blocks::regular(first, first.bytes, static_cast<std::size_t>(levels.nodes()));
        return;
    }
    for (int node = 0; node < levels.nodes(); ++node)
        joined_.push_back(node == except ? Place{}
                                         : plan::joined(plan, levels.blocks_of(node, blocks)));
}

template<class Visit>
void NodeBlocks::each_apart(Visit visit) const {
    for (int node = 0; !are_in_place_ && node < levels_.nodes(); ++node)
        if (node != except_) visit(levels_.blocks_of(node, blocks_), of(node));
}

void NodeBlocks::pack() const {
    each_apart(
        [this](const Blocks& blocks, const Place& whole) { plan::pack(plan_, blocks, whole); });
}

void NodeBlocks::unpack() const {
    each_apart(
        [this](const Blocks& blocks, const Place& whole) { plan::unpack(plan_, whole, blocks); });
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

const Solver& among_leaders(const Shape& shape, const Model& model) {
    const Shape part = shape_between(shape, shape.kind);
    return solver_of(part, model_of(part, seen_from(shape, model), 1));
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
