// SPDX-License-Identifier: BSD-3-Clause
//
// Locality-aware Bruck: in each round the ranks of a node get the blocks of as many other groups of
// nodes as they are, each rank one, and tell each other. After it a node has those of so many times
// as many nodes, and one more. A. Bienz, S. Gautam, A. Kharel, "A locality-aware Bruck allgather",
// EuroMPI 2022.
#include "plan/packing.hpp"
#include "plan/patterns.hpp"
#include "plan/solvers/levels.hpp"

#include <algorithm>

namespace mpix::plan::allgather_local_bruck {
namespace {

bool applicable(const Shape& shape) { return has_levels(shape) && !shape.is_piece; }

int lanes_of(const Shape& shape) {
    return std::min(shape.nodes.smallest(), shape.nodes.count() - 1);
}

Bytes of_node(const Shape& shape) { return shape.nodes.largest() * shape.largest; }

// Within the node: of its own blocks, and of those of the nodes that have come in a round.
Shape own(const Shape& shape) {
    Shape part = with_blocks(shape_within(shape, Kind::allgather), shape.largest);
    part.total = std::min(part.total, of_node(shape));
    return part;
}

Shape come(const Shape& shape, int nodes) {
    Shape part = with_blocks(shape_within(shape, Kind::allgather), nodes * of_node(shape));
    part.total = std::min(part.total, part.ranks * part.largest);
    part.regular = false; // in the last round they are not alike
    return part;
}

double cost(const Shape& shape, const Model& model) {
    const int nodes = shape.nodes.count(), lanes = lanes_of(shape);
    const Model across = model.between_nodes(lanes);
    double sum = cost_of_part(own(shape), model);
    for (int have = 1; have < nodes; have *= lanes + 1) {
        const int more = std::min(have, nodes - have);
        sum += across.message(static_cast<double>(more * of_node(shape))) +
               cost_of_part(come(shape, more), model);
    }
    return no_overlap * sum + model.copies(shape.nodes.are_in_order() ? 2 : shape.ranks,
                                           static_cast<double>(shape.total),
                                           shape.nodes.inside_largest().locality);
}

// The blocks of all nodes, this one's first, as they are kept.
struct Ring {
    Place all;
    Sizes begins; // of each node's
    int nodes;

    // Of so many nodes, from that one on.
    Place part(int first, int count) const { return slice(all, begins, first, first + count); }
};

// `have` nodes' blocks are there.
void build_round(const Problem& problem, const Levels& levels, const Ring& kept, int have,
                 Builder& plan) {
    const int lanes = lanes_of(problem.shape);
    std::vector<Bytes> sizes(levels.mates().size());
    int end = have;
    for (int lane = 0; lane < lanes && end < kept.nodes; ++lane) {
        const int first = end, count = std::min(have, kept.nodes - first);
        sizes[static_cast<std::size_t>(lane)] = kept.part(first, count).bytes;
        end += count;
        if (lane != levels.self) continue;
        const int to = ring(levels.node, -first, kept.nodes),
                  from = ring(levels.node, first, kept.nodes);
        plan.send(levels.rank_at(to, lane), kept.part(0, count));
        plan.recv(levels.rank_at(from, lane), kept.part(first, count));
    }
    const Blocks pieces = slices(kept.part(have, end - have), sizes);
    solve({.shape = come(problem.shape, std::min(have, kept.nodes - have)),
           .ranks = levels.mates(),
           .self = levels.self,
           .send = {pieces[static_cast<std::size_t>(levels.self)]},
           .recv = pieces,
           .sizes = sizes},
          plan);
}

// This node's, and those of the nodes after it.
Blocks in_ring(const Levels& levels, const Blocks& blocks) {
    if (levels.are_alike())
        return around(blocks, levels.rank_at(levels.node, 0), static_cast<int>(blocks.size()));
    Blocks order;
    for (int k = 0; k < levels.nodes(); ++k)
        for (const Place& place : levels.blocks_of(ring(levels.node, k, levels.nodes()), blocks))
            order.push_back(place);
    return order;
}

void build(const Problem& problem, Builder& plan) {
    const Levels levels(problem, false);
    const int nodes = levels.nodes();
    const Blocks order = in_ring(levels, problem.recv);
    const Ring kept{joined(plan, order),
                    offsets(sizes_of_nodes(levels, problem.sizes), levels.node, nodes), nodes};
    const Sizes sizes = sizes_of(levels.mates(), problem.sizes);
    solve({.shape = own(problem.shape),
           .ranks = levels.mates(),
           .self = levels.self,
           .send = {problem.send[0]},
           .recv = slices(kept.part(0, 1), sizes),
           .sizes = sizes},
          plan);
    for (int have = 1; have < nodes; have *= lanes_of(problem.shape) + 1)
        build_round(problem, levels, kept, have, plan);
    unpack(plan, kept.all, order);
}

} // namespace

extern const Solver solver{"allgather_local_bruck", Kind::allgather, applicable, cost, build};

} // namespace mpix::plan::allgather_local_bruck
