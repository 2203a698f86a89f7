// SPDX-License-Identifier: BSD-3-Clause
//
// Dealing messages to the ranks of nodes, and what that costs beside sending them to all.
#include "plan/relays.hpp"

#include "plan/solvers/levels.hpp"

#include <algorithm>

namespace mpix::plan {
namespace {

// Of a rank that has a message for all, where so many ranks of a node have one at once.
double cost_direct(const Shape& shape, const Model& across) {
    const int away = shape.ranks - shape.nodes.largest();
    return across.to_many(away, static_cast<double>(away * shape.largest));
}

// A rank posts as many within its node as come to it; in a broadcast one of them does.
double cost_with_relays(const Shape& shape, const Model& across, const Model& within) {
    const int nodes = shape.nodes.count(), mates = shape.nodes.largest();
    const double relayed =
        shape.kind == Kind::bcast ? 1 : static_cast<double>(shape.ranks - mates) / mates;
    const double each =
        within.overhead_us + static_cast<double>(shape.largest) * within.per_byte_us;
    const double passing = relayed * (mates - 1) * each;
    return across.to_many(nodes - 1, static_cast<double>((nodes - 1) * shape.largest)) +
           within.latency_us + (shape.kind == Kind::bcast ? passing : within.of_everyone(passing));
}

} // namespace

bool has_relays(const Shape& shape, const Model& model) {
    const bool is_for_all = shape.kind == Kind::bcast || shape.kind == Kind::allgather;
    if (!is_for_all || shape.one_node || !has_levels(shape)) return false;
    const int senders = shape.kind == Kind::bcast ? 1 : shape.nodes.largest();
    const Model across = model.between_nodes(senders),
                within = model.within(shape.nodes.inside_largest().locality);
    return cost_with_relays(shape, across, within) < cost_direct(shape, across);
}

std::int64_t messages_with_relays(const Nodes& nodes, Kind kind, std::int64_t of_source) {
    std::int64_t most = of_source, ranks = 0;
    if (kind != Kind::allgather) return most;
    for (int node = 0; node < nodes.count(); ++node) ranks += nodes.size(node);
    for (int node = 0; node < nodes.count(); ++node) {
        const std::int64_t size = nodes.size(node);
        const std::int64_t from_elsewhere = (ranks - size) * of_source;
        if (size > 1) most = std::max(most, of_source + (from_elsewhere + size - 1) / size);
    }
    return most;
}

Relays::Relays(const Nodes& nodes, int self, const std::vector<Source>& sources)
    : nodes_(nodes), node_(nodes.of(self)), mates_(nodes.ranks(node_)),
      position_(static_cast<std::size_t>(nodes.position(self))) {
    std::vector<std::int64_t> within(static_cast<std::size_t>(nodes.count()), 0);
    std::int64_t all = 0;
    for (const Source& source : sources) {
        in_.resize(static_cast<std::size_t>(source.rank) + 1);
        in_.back() = all - within[static_cast<std::size_t>(node_)];
        if (source.rank == self)
            for (const std::int64_t there : within) out_.push_back(all - there);
        all += source.messages;
        within[static_cast<std::size_t>(nodes.of(source.rank))] += source.messages;
    }
}

int Relays::dealt(int node, std::int64_t number) const {
    return nodes_.rank(node, static_cast<int>(number % nodes_.size(node)));
}

bool Relays::goes(std::size_t number, int to) const {
    if (is_mate(to)) return true;
    const int node = nodes_.of(to);
    return dealt(node, out_[static_cast<std::size_t>(node)] + static_cast<std::int64_t>(number)) ==
           to;
}

int Relays::relay(int source, std::size_t number) const {
    return dealt(node_, in_[static_cast<std::size_t>(source)] + static_cast<std::int64_t>(number));
}

} // namespace mpix::plan
