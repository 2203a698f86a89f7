// SPDX-License-Identifier: BSD-3-Clause
//
// Numbering the nodes in the order of their first ranks. Whoever has no memory for the answer still
// finds its mates, who wait for it.
#include "comm/placement.hpp"

#include <algorithm>
#include <new>
#include <numeric>
#include <tuple>
#include <utility>

namespace mpix::comm {
namespace {

std::size_t at(int index) { return static_cast<std::size_t>(index); }

int first(const std::vector<Site>& sites, auto is_it) {
    const auto found = std::ranges::find_if(sites, is_it);
    return found == sites.end() ? -1 : static_cast<int>(found - sites.begin());
}

} // namespace

Placement::Placement(int ranks, int most_mates)
    : sites_(at(ranks)), node_of_(at(ranks)), part_of_(at(ranks)), order_(at(ranks)) {
    mates_.reserve(at(most_mates));
}

// Those that are of one thing stand together in `order_`, and are first told the first of them. The
// things are numbered in the order of their first ranks. Returns how many there are.
template<class Of>
int Placement::number_by(std::vector<int>& numbers, Of of) {
    std::iota(order_.begin(), order_.end(), 0);
    std::ranges::sort(order_, {}, [&](int rank) { return std::pair(of(rank), rank); });
    for (std::size_t i = 0; i < order_.size(); ++i) {
        const int rank = order_[i], before = i > 0 ? order_[i - 1] : 0;
        const bool is_first = i == 0 || of(before) != of(rank);
        numbers[at(rank)] = is_first ? rank : numbers[at(before)];
    }
    int count = 0;
    for (int rank = 0; rank < static_cast<int>(numbers.size()); ++rank) {
        int& number = numbers[at(rank)];
        if (number == rank) order_[at(rank)] = count++;
        number = order_[at(number)];
    }
    return count;
}

// Who shares no memory is alone.
int Placement::number_nodes() {
    return number_by(node_of_, [&](int rank) {
        const Site& site = sites_[at(rank)];
        return std::pair(site.memory, site.is_alone() ? rank : 0);
    });
}

// The sockets, and what shares a cache in them, where they divide nodes and not into single ranks.
plan::Nodes Placement::parts(int nodes) {
    const auto spot = [&](int rank) -> const Spot& { return sites_[at(rank)].spot; };
    if (std::ranges::all_of(sites_, [](const Site& site) { return site.spot == Spot(); }))
        return {};
    const int ranks = static_cast<int>(sites_.size());
    const auto socket_of = [&](int rank) {
        return std::pair(node_of_[at(rank)], spot(rank).socket);
    };
    const int sockets = number_by(part_of_, socket_of);
    plan::Nodes of_sockets, of_caches;
    const bool has_sockets = sockets > nodes && sockets < ranks;
    std::vector<int> socket_numbers;
    if (has_sockets) socket_numbers = part_of_;
    const int caches = number_by(part_of_, [&](int rank) {
        return std::tuple(node_of_[at(rank)], spot(rank).socket, spot(rank).cache);
    });
    if (caches > sockets && caches < ranks)
        of_caches = plan::Nodes(part_of_, plan::Locality::cache);
    if (!has_sockets) return of_caches;
    return plan::Nodes(socket_numbers, plan::Locality::socket, of_caches);
}

bool Placement::find(const Ranks& ranks, const Site& own) {
    exchange(ranks, own, sites_);
    const int nodes = number_nodes();
    elsewhere_ = first(sites_, [&](const Site& site) { return site.machine != sites_[0].machine; });
    refused_ = first(sites_, [](const Site& site) { return site.memory == Site::refused; });
    mates_.clear();
    for (int rank = 0; rank < ranks.count; ++rank) {
        if (node_of_[at(rank)] != node_of_[at(ranks.self)]) continue;
        if (rank == ranks.self) self_ = static_cast<int>(mates_.size());
        mates_.push_back(rank);
    }
    try {
        nodes_ = plan::Nodes(node_of_, plan::Locality::node, parts(nodes));
        return true;
    } catch (const std::bad_alloc&) {
        return false;
    }
}

} // namespace mpix::comm
