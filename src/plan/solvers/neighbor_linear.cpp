// SPDX-License-Identifier: BSD-3-Clause
//
// Neighbourhood exchange: every edge is a message, all posted at once. MPI-4.1, section 8.7,
// defines it this way. An edge from a rank to itself is a copy. Where several lead to the same rank
// (grids with few ranks in a dimension) and are short, they are one message; and one that all of
// them have is sent once.
#include "plan/packing.hpp"
#include "plan/solvers/node_aware.hpp"

#include <map>
#include <set>
#include <utility>
#include <vector>

namespace mpix::plan::neighbor_linear {
namespace {

bool applicable(const Shape&) { return true; }

double cost(const Shape& shape, const Model& model) {
    return is_node_aware(shape) ? cost_of_edges(shape, model)
                                : model.message(static_cast<double>(shape.total));
}

// The k-th edge to oneself is the k-th from oneself.
void copy_own_edges(const Problem& problem, Builder& plan) {
    std::size_t from = 0;
    for (std::size_t to = 0; to < problem.destinations.size(); ++to) {
        if (problem.destinations[to] != problem.rank) continue;
        while (problem.sources[from] != problem.rank) ++from;
        plan.copy(problem.send[to], problem.recv[from++]);
    }
}

// The same along all edges: of several to a rank only the first is a message.
void build_alike(const Problem& problem, Builder& plan) {
    std::map<int, Place> received;
    std::vector<Move> others;
    for (std::size_t i = 0; i < problem.sources.size(); ++i) {
        const int source = problem.sources[i];
        if (source == problem.rank) continue;
        const auto [first, is_new] = received.try_emplace(source, problem.recv[i]);
        if (is_new)
            plan.recv(source, first->second);
        else
            others.push_back({first->second, problem.recv[i]});
    }
    std::set<int> reached{problem.rank};
    for (std::size_t i = 0; i < problem.destinations.size(); ++i)
        if (reached.insert(problem.destinations[i]).second)
            plan.send(problem.destinations[i], problem.send[i]);
    copy_own_edges(problem, plan);
    plan.copy(others);
}

// The edges to, or from, a rank, in their order: the same at its end, where they have as many
// bytes.
using Edges = std::map<int, Blocks>;

Edges by_rank(const std::vector<int>& ranks, const Blocks& places) {
    Edges edges;
    for (std::size_t i = 0; i < ranks.size(); ++i) edges[ranks[i]].push_back(places[i]);
    return edges;
}

// What it takes to post messages of so many bytes. Between nodes long ones go in parts, or their
// receivers are asked: side by side, so that each has one more to post, and all wait for one
// answer.
class Posting {
  public:
    Posting(int peer, const Problem& problem, const Model& model)
        : model_(model), shared_(problem.shape.nodes.shared(peer, problem.rank)) {}

    void add(double bytes) {
        if (bytes <= 0) return;
        const double overhead_us = model_.link(shared_).overhead_us;
        const double more = shared_ == Locality::network ? model_.asking(bytes) : 0;
        const bool is_asked = more > 0 && more >= model_.rendezvous_us;
        us_ += overhead_us + (is_asked ? overhead_us : more);
        if (is_asked) answer_us_ = more;
    }
    double us() const { return us_ + answer_us_; }

  private:
    const Model& model_;
    const Locality shared_;
    double us_ = 0, answer_us_ = 0;
};

// Where it takes longer to post their messages than to copy them, at both ends.
bool is_joined(const Blocks& edges, int peer, const Problem& problem, const Model& model) {
    if (edges.size() == 1) return false;
    Posting apart(peer, problem, model), together = apart;
    double bytes = 0;
    for (const Place& edge : edges) {
        apart.add(static_cast<double>(edge.bytes));
        bytes += static_cast<double>(edge.bytes);
    }
    together.add(bytes);
    return together.us() + bytes * model.copy_us < apart.us();
}

struct Message {
    int peer;
    Blocks edges; // what it carries
};

// In the order of the first edge of each.
std::vector<Message> messages_of(const std::vector<int>& ranks, const Blocks& places,
                                 const Problem& problem, const Model& model) {
    Edges edges = by_rank(ranks, places);
    edges.erase(problem.rank);
    std::vector<Message> messages;
    for (std::size_t i = 0; i < ranks.size(); ++i) {
        const auto found = edges.find(ranks[i]);
        if (found == edges.end()) continue;
        if (!is_joined(found->second, ranks[i], problem, model)) {
            messages.push_back({ranks[i], {}});
            messages.back().edges.push_back(places[i]);
            continue;
        }
        messages.push_back({ranks[i], std::move(found->second)});
        edges.erase(found);
    }
    return messages;
}

void build(const Problem& problem, Builder& plan) {
    if (problem.shape.alike) return build_alike(problem, plan);
    const Model& model = plan.model();
    std::vector<std::pair<Place, Blocks>> received;
    for (const auto& [peer, edges] : messages_of(problem.sources, problem.recv, problem, model)) {
        const Place whole = joined(plan, edges);
        plan.recv(peer, whole);
        if (edges.size() > 1) received.emplace_back(whole, edges);
    }
    for (const auto& [peer, edges] :
         messages_of(problem.destinations, problem.send, problem, model)) {
        const Place whole = joined(plan, edges);
        pack(plan, edges, whole);
        plan.send(peer, whole);
    }
    copy_own_edges(problem, plan);
    for (const auto& [whole, edges] : received) unpack(plan, whole, edges);
}

} // namespace

extern const Solver solver{"neighbor_linear", Kind::neighbor, applicable, cost, build};

} // namespace mpix::plan::neighbor_linear
