// SPDX-License-Identifier: BSD-3-Clause
//
// Numbering the nodes in the order of their first ranks. Whoever has no memory for the answer still
// finds its mates, who wait for it.
#include "comm/placement.hpp"

#include <algorithm>
#include <new>
#include <numeric>
#include <tuple>

namespace mpix::comm {
namespace {

std::size_t at(int index) { return static_cast<std::size_t>(index); }

int first(const std::vector<Site>& sites, auto is_it) {
    const auto found = std::ranges::find_if(sites, is_it);
    return found == sites.end() ? -1 : static_cast<int>(found - sites.begin());
}

} // namespace

Placement::Placement(int ranks, int most_mates)
    : sites_(at(ranks)), node_of_(at(ranks)), order_(at(ranks)) {
    mates_.reserve(at(most_mates));
}

// Those of one memory stand together in `order_`, and are first told the first of them.
void Placement::number_nodes() {
    std::iota(order_.begin(), order_.end(), 0);
    std::ranges::sort(order_, {},
                      [&](int rank) { return std::tuple(sites_[at(rank)].memory, rank); });
    for (std::size_t i = 0; i < order_.size(); ++i) {
        const int rank = order_[i], before = i > 0 ? order_[i - 1] : 0;
        const bool is_first = i == 0 || sites_[at(rank)].is_alone() ||
                              sites_[at(before)].memory != sites_[at(rank)].memory;
        node_of_[at(rank)] = is_first ? rank : node_of_[at(before)];
    }
    int nodes = 0;
    for (int rank = 0; rank < static_cast<int>(node_of_.size()); ++rank) {
        int& node = node_of_[at(rank)];
        if (node == rank) order_[at(rank)] = nodes++;
        node = order_[at(node)];
    }
}

bool Placement::find(const Ranks& ranks, const Site& own) {
    exchange(ranks, own, sites_);
    number_nodes();
    elsewhere_ = first(sites_, [&](const Site& site) { return site.machine != sites_[0].machine; });
    refused_ = first(sites_, [](const Site& site) { return site.memory == Site::refused; });
    mates_.clear();
    for (int rank = 0; rank < ranks.count; ++rank) {
        if (node_of_[at(rank)] != node_of_[at(ranks.self)]) continue;
        if (rank == ranks.self) self_ = static_cast<int>(mates_.size());
        mates_.push_back(rank);
    }
    try {
        nodes_ = plan::Nodes(node_of_);
        return true;
    } catch (const std::bad_alloc&) {
        return false;
    }
}

} // namespace mpix::comm
