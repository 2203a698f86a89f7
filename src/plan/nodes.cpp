// SPDX-License-Identifier: BSD-3-Clause
//
// Three forms: blocks of ranks, by where each begins if they are not alike; ranks in turn; and a
// list, with the ranks of each node beside it.
#include "plan/nodes.hpp"

#include <algorithm>

namespace mpix::plan {
namespace {

std::size_t at(int index) { return static_cast<std::size_t>(index); }

} // namespace

struct Nodes::Table {
    int ranks = 0, count = 0, largest = 0, smallest = 0;
    bool is_in_order = false;
    bool is_dealt = false;        // rank r is on node r % count
    int each = 0;                 // ranks of each block but the last, if they are alike
    std::vector<int> begins = {}; // of each block, or of the ranks of each node in the list
    std::vector<int> of_ranks = {}, members = {}; // the list
    Locality locality = Locality::node;
    Nodes inner = {};
    Inside inside_largest = {};

    bool is_list() const { return !of_ranks.empty(); }
    int size(int node) const;
    int begin(int node) const { return each > 0 ? node * each : begins[at(node)]; }
    void find_form(const std::vector<int>& of);
    void find_blocks(const std::vector<int>& of, const std::vector<int>& sizes);
    void list(const std::vector<int>& of);
};

int Nodes::Table::size(int node) const {
    if (is_dealt) return (ranks - node + count - 1) / count;
    if (each > 0) return std::min(each, ranks - node * each);
    return begins[at(node) + 1] - begins[at(node)];
}

void Nodes::Table::find_form(const std::vector<int>& of) {
    std::vector<int> sizes(at(count));
    is_dealt = true;
    for (int r = 0; r < ranks; ++r) {
        ++sizes[at(of[at(r)])];
        is_dealt = is_dealt && of[at(r)] == r % count;
    }
    largest = std::ranges::max(sizes);
    smallest = std::ranges::min(sizes);
    is_in_order = std::ranges::is_sorted(of);
    if (is_in_order) is_dealt = false;
    if (is_dealt) return;
    find_blocks(of, sizes);
}

void Nodes::Table::find_blocks(const std::vector<int>& of, const std::vector<int>& sizes) {
    const auto is_alike = [&](int size) { return size == sizes[0]; };
    if (is_in_order && std::all_of(sizes.begin(), sizes.end() - 1, is_alike) &&
        sizes.back() <= sizes[0]) {
        each = sizes[0];
        return;
    }
    begins.resize(at(count) + 1);
    for (int node = 0; node < count; ++node)
        begins[at(node) + 1] = begins[at(node)] + sizes[at(node)];
    if (!is_in_order) list(of);
}

void Nodes::Table::list(const std::vector<int>& of) {
    of_ranks = of;
    members.resize(at(ranks));
    std::vector<int> next(begins.begin(), begins.end() - 1);
    for (int r = 0; r < ranks; ++r) members[at(next[at(of[at(r)])]++)] = r;
}

Nodes::Nodes(const std::vector<int>& of_ranks, Locality locality, Nodes inner) {
    if (of_ranks.empty()) return;
    auto table = std::make_shared<Table>();
    table->ranks = static_cast<int>(of_ranks.size());
    table->count = std::ranges::max(of_ranks) + 1;
    table->find_form(of_ranks);
    table->locality = locality;
    table->inside_largest.locality = locality;
    table->inner = std::move(inner);
    table_ = table;
    if (table->inner.empty()) return;
    int largest = 0;
    while (size(largest) < table->largest) ++largest;
    table->inside_largest = inside(ranks(largest));
}

int Nodes::count() const { return table_ ? table_->count : 0; }
int Nodes::largest() const { return table_->largest; }
int Nodes::smallest() const { return table_->smallest; }
bool Nodes::are_in_order() const { return !table_ || table_->is_in_order; }

int Nodes::of(int rank) const {
    const Table& table = *table_;
    if (table.is_dealt) return rank % table.count;
    if (table.each > 0) return rank / table.each;
    if (table.is_list()) return table.of_ranks[at(rank)];
    return static_cast<int>(std::ranges::upper_bound(table.begins, rank) - table.begins.begin()) -
           1;
}

int Nodes::size(int node) const { return table_->size(node); }

int Nodes::rank(int node, int position) const {
    const Table& table = *table_;
    if (table.is_dealt) return node + position * table.count;
    const int place = table.begin(node) + position;
    return table.is_list() ? table.members[at(place)] : place;
}

int Nodes::position(int rank) const {
    const Table& table = *table_;
    if (table.is_dealt) return rank / table.count;
    const int node = of(rank);
    if (!table.is_list()) return rank - table.begin(node);
    int position = 0;
    while (this->rank(node, position) != rank) ++position;
    return position;
}

RankList Nodes::ranks(int node) const {
    const Table& table = *table_;
    if (!table.is_list())
        return RankList::regular(rank(node, 0), table.is_dealt ? table.count : 1, at(size(node)));
    RankList found;
    for (int i = 0; i < size(node); ++i) found.push_back(rank(node, i));
    return found;
}

RankList Nodes::lane(int position) const {
    const Table& table = *table_;
    if (table.is_dealt || table.each > 0)
        return RankList::regular(rank(0, position), table.is_dealt ? 1 : table.each,
                                 at(table.count));
    RankList found;
    for (int node = 0; node < table.count; ++node) found.push_back(rank(node, position));
    return found;
}

Locality Nodes::shared(int one, int other) const {
    if (empty()) return Locality::network;
    if (of(one) != of(other)) return Locality::network;
    const Locality inner = table_->inner.shared(one, other);
    return inner == Locality::network ? table_->locality : inner;
}

// The parts are numbered as they are met.
Nodes Nodes::only(const RankList& ranks) const {
    if (empty()) return {};
    std::vector<int> parts, of;
    of.reserve(ranks.size());
    for (const int rank : ranks) {
        const auto found = std::ranges::find(parts, this->of(rank));
        of.push_back(static_cast<int>(found - parts.begin()));
        if (found == parts.end()) parts.push_back(this->of(rank));
    }
    return Nodes(of, table_->locality, table_->inner.only(ranks));
}

Nodes::Inside Nodes::inside(const RankList& ranks) const {
    const Nodes& inner = table_->inner;
    if (inner.empty()) return {{}, table_->locality};
    const Nodes parts = inner.only(ranks);
    if (parts.count() == 1) return inner.inside(ranks);
    const bool are_alone = at(parts.count()) == ranks.size();
    return {are_alone ? Nodes() : parts, table_->locality};
}

const Nodes::Inside& Nodes::inside_largest() const { return table_->inside_largest; }

std::size_t Nodes::bytes() const {
    if (!table_) return 0;
    return sizeof *table_ + table_->inner.bytes() + table_->inside_largest.nodes.bytes() +
           (table_->begins.capacity() + table_->of_ranks.capacity() + table_->members.capacity()) *
               sizeof(int);
}

} // namespace mpix::plan
