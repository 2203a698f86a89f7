// SPDX-License-Identifier: BSD-3-Clause
//
// Counting what crosses.
#include "plan/crossing.hpp"

#include <algorithm>
#include <set>

namespace mpix::plan {
namespace {

// Counts for one node; where values are alike a node gets each once.
class Count {
  public:
    Count(const Nodes& nodes, int node, bool is_alike)
        : nodes_(nodes), node_(node), is_alike_(is_alike) {}

    void add(const Edges& of) {
        std::int64_t messages = 0, bytes = 0;
        std::set<int> reached;
        for (const Edge& edge : of.out) {
            const int to = nodes_.of(static_cast<int>(edge.rank));
            if (to == node_) continue;
            ++messages;
            bytes += edge.bytes;
            to_.insert(to);
            if (reached.insert(to).second || !is_alike_) found.merged_bytes += edge.bytes;
        }
        for (const Edge& edge : of.in) {
            const int from = nodes_.of(static_cast<int>(edge.rank));
            if (from != node_) from_.insert(from);
        }
        found.messages = std::max(found.messages, messages);
        found.bytes = std::max(found.bytes, bytes);
        found.node_messages += messages;
        found.node_bytes += bytes;
        found.nodes = static_cast<std::int64_t>(std::max(to_.size(), from_.size()));
    }

    Crossing found;

  private:
    const Nodes& nodes_;
    int node_;
    bool is_alike_;
    std::set<int> to_, from_;
};

std::vector<Edge> edges(const std::vector<int>* ranks, const Blocks& places) {
    std::vector<Edge> found;
    found.reserve(places.size());
    for (std::size_t i = 0; i < places.size(); ++i)
        found.push_back({ranks ? (*ranks)[i] : static_cast<std::int64_t>(i), places[i].bytes});
    return found;
}

} // namespace

Edges edges_of(const Problem& problem) {
    const bool is_neighbor = problem.shape.kind == Kind::neighbor;
    const Blocks& send = problem.send;
    return {.out = edges(is_neighbor ? &problem.destinations : nullptr, send),
            .in = edges(is_neighbor ? &problem.sources : nullptr, problem.recv),
            .is_alike = std::all_of(send.begin(), send.end(),
                                    [&](const Place& place) { return place == send[0]; })};
}

Crossing crossing_of(const Nodes& nodes, int node, const std::vector<Edges>& mates) {
    const bool is_alike =
        std::all_of(mates.begin(), mates.end(), [](const Edges& of) { return of.is_alike; });
    Count count(nodes, node, is_alike);
    for (const Edges& of : mates) count.add(of);
    count.found.is_different = is_alike ? 0 : 1;
    return count.found;
}

} // namespace mpix::plan
