// SPDX-License-Identifier: BSD-3-Clause
//
// Parallel aggregated trees: each block has a binomial tree of its own, rooted at its rank, and all
// of them are alike but for where they begin. They are cut into far edges, from the longest on, and
// near ones, in trees of `span` ranks. A message of near ones has the same edge of as many trees as
// there are far ranks. S. Jeaugey, "PAT: a new algorithm for all-gather and reduce-scatter
// operations at scale", 2025, arXiv:2506.20252. Nothing here communicates.
#pragma once

#include "plan/builder.hpp"
#include "plan/patterns.hpp"

#include <vector>

namespace mpix::plan {

// A rank in the tree of a block is known by its distance from the root, going round. Blocks whose
// distances are the same but for `far` make a group, which is known by its distance in the near
// trees, and has them in the order of `far`.
struct ParallelTrees {
    ParallelTrees(int ranks, int span);

    // A round of far edges: blocks [from, from + count) of group 0 go so far, and are then at `to`.
    struct Round {
        int distance, from, to, count;
    };

    int groups() const { return span < ranks ? span : ranks; }
    // Only the last of `far` may be without a rank so far on: a group is like the first, or it
    // lacks the last block.
    int size(int group) const {
        return static_cast<int>(far.size()) - (far.back() + group < ranks ? 0 : 1);
    }
    // Largest distance first. Those that have no blocks are left out.
    std::vector<int> children(int group) const { return binomial_children(group, groups()); }
    // The blocks of a group that come by this rank.
    Blocks blocks(const Blocks& of_ranks, int rank, int group) const;
    std::size_t own() const; // where this rank's own block is in group 0

    int ranks;
    int span;
    std::vector<int> far;
    std::vector<Round> rounds; // farthest first
};

// The span that costs least, with messages that the receiver need not be asked for, or of one
// block. `work_us`: for each byte that comes.
int best_span(const Shape& shape, const Model& model, double work_us);
double cost_of_span(const Shape& shape, const Model& model, double work_us, int span);

} // namespace mpix::plan
