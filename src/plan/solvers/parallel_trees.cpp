// SPDX-License-Identifier: BSD-3-Clause
//
// The far rounds of parallel trees, their blocks, and what they cost.
#include "plan/solvers/parallel_trees.hpp"

#include <algorithm>
#include <deque>

namespace mpix::plan {
namespace {

int far_ranks(int ranks, int span) { return (ranks - 1) / span + 1; }

bool fits(const Shape& shape, const Model& model, int span) {
    return static_cast<double>(far_ranks(shape.ranks, span) * shape.largest) < model.eager_bytes;
}

} // namespace

// What comes in a round is put after what is sent, so that all that is sent next is one run. Of
// what there is only the farthest may have nobody to go to; it stays the last, and others come
// before.
ParallelTrees::ParallelTrees(int of_ranks, int of_span) : ranks(of_ranks), span(of_span) {
    const int count = far_ranks(ranks, span);
    std::deque<int> order{0};
    int before = 0; // how many stand before the root
    for (int distance = power_below(std::max(count - 1, 1)); distance > 0; distance /= 2) {
        const int have = static_cast<int>(order.size());
        const bool all_go = order.back() + distance < count;
        const int go = all_go ? have : have - 1;
        if (go == 0) continue;
        std::vector<int> come(order.begin(), order.begin() + go);
        for (int& number : come) number += distance;
        if (!all_go) before += go;
        const int first = all_go ? 0 : go;
        order.insert(all_go ? order.end() : order.begin(), come.begin(), come.end());
        rounds.push_back(
            {distance * span, first - before, first - before + (all_go ? have : -go), go});
    }
    for (Round& round : rounds) {
        round.from += before;
        round.to += before;
    }
    for (const int number : order) far.push_back(number * span);
}

Blocks ParallelTrees::blocks(const Blocks& of_ranks, int rank, int group) const {
    Blocks found;
    for (int i = 0; i < size(group); ++i) {
        const int distance = far[static_cast<std::size_t>(i)] + group;
        found.push_back(of_ranks[static_cast<std::size_t>(ring(rank, -distance, ranks))]);
    }
    return found;
}

std::size_t ParallelTrees::own() const {
    return static_cast<std::size_t>(std::ranges::find(far, 0) - far.begin());
}

// A rank posts, takes and works while a card has other messages, so that of the near ones what
// takes longer counts.
double cost_of_span(const Shape& shape, const Model& model, double work_us, int span) {
    const int count = far_ranks(shape.ranks, span);
    const double block = static_cast<double>(shape.total) / shape.ranks, bytes = count * block;
    const double wire = model.per_byte_us * model.crossing * model.relaying();
    const double packing = count > 1 ? model.copies(count, bytes, Locality::node) : 0;
    const double work = model.exchanging() + packing + bytes * work_us;
    const int near = std::min(span, shape.ranks) - 1;
    const bool has_card = model.locality == Locality::network;
    const double hop = has_card ? std::max(bytes * wire, work) : bytes * wire + work;
    return ceil_log2(near + 1) * model.message(bytes) + near * hop +
           model.halving(ceil_log2(count), bytes / 2) + (bytes - block) * (wire + work_us) +
           2 * packing;
}

// Of those that cost next to the same the one with the fewest messages: its plan is the shortest.
int best_span(const Shape& shape, const Model& model, double work_us) {
    constexpr double next_to_same = 1.03;
    const int single = static_cast<int>(std::bit_ceil(static_cast<unsigned>(shape.ranks)));
    const auto cost = [&](int span) { return cost_of_span(shape, model, work_us, span); };
    int shortest = single;
    while (shortest > 1 && fits(shape, model, shortest / 2)) shortest /= 2;
    double least = cost(single);
    for (int span = shortest; span < single; span *= 2) least = std::min(least, cost(span));
    int best = shortest;
    while (best < single && cost(best) > next_to_same * least) best *= 2;
    return best;
}

} // namespace mpix::plan
