// SPDX-License-Identifier: BSD-3-Clause
//
// Neighbourhood exchange: every edge is a message, all posted at once. MPI-4.1, section 8.7,
// defines it this way. An edge from a rank to itself is a copy. Where several lead to the same rank
// (grids with few ranks in a dimension) and are short, they are one message; and one that all of
// them have is sent once.
#include "plan/packing.hpp"
#include "plan/solvers/node_aware.hpp"

#include <algorithm>
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

// What it takes to post several messages to one rank. Between nodes long ones go in parts, or their
// receiver is asked: side by side, so that each has a question and an answer more, and all wait for
// one answer.
class Posting {
  public:
    Posting(int peer, const Problem& problem, const Model& model)
        : model_(model), shared_(problem.shape.nodes.shared(peer, problem.rank)) {}

    void add(double bytes) {
        if (bytes <= 0) return;
        const double overhead_us = model_.link(shared_).overhead_us;
        const double more = shared_ == Locality::network ? model_.asking(bytes) : 0;
        const bool is_long = more > 0, is_asked = is_long && more >= model_.asking_receiver();
        in_parts_.add(overhead_us + (is_asked ? model_.exchanging() : more), is_asked);
        uncut_.add(overhead_us + (is_long ? model_.exchanging() : 0), is_long);
    }
    // The quicker of the two.
    double us() const { return std::min(us(in_parts_), us(uncut_)); }
    bool is_uncut() const { return us(uncut_) < us(in_parts_); }

  private:
    struct Way {
        void add(double posting_us, bool is_asked) {
            us += posting_us;
            asked += is_asked;
        }
        double us = 0;
        int asked = 0;
    };
    // More than there are tags wait for those before.
    double us(const Way& way) const {
        const int answers = (way.asked + Builder::default_tags - 1) / Builder::default_tags;
        return way.us + answers * model_.asking_receiver();
    }

    const Model& model_;
    const Locality shared_;
    Way in_parts_, uncut_;
};

// Out of the caches where there are many bytes, at both ends.
double copying(double bytes, const Problem& problem, const Model& model) {
    const bool is_cached = static_cast<double>(problem.shape.total) <= model.stays_in_cache;
    return 2 * bytes * model.copy_us * (is_cached ? 1 : 2);
}

// How the edges to a rank go.
struct Manner {
    bool is_joined = false; // it takes longer to post their messages than to copy them
    bool is_uncut = false;  // and they go whole, though one alone might go in parts
};

// Both ends have to decide alike: by these edges, and by what all ranks know, never by others of
// this rank.
Manner manner_of(const Blocks& edges, int peer, const Problem& problem, const Model& model) {
    if (edges.size() == 1) return {};
    Posting apart(peer, problem, model), together = apart;
    double bytes = 0;
    for (const Place& edge : edges) {
        apart.add(static_cast<double>(edge.bytes));
        bytes += static_cast<double>(edge.bytes);
    }
    together.add(bytes);
    const bool is_joined = together.us() + copying(bytes, problem, model) < apart.us();
    return {is_joined, !is_joined && apart.is_uncut()};
}

struct Message {
    int peer;
    Blocks edges; // what it carries
    bool is_uncut;
};

// In the order of the first edge of each.
std::vector<Message> messages_of(const std::vector<int>& ranks, const Blocks& places,
                                 const Problem& problem, const Model& model) {
    Edges edges = by_rank(ranks, places);
    edges.erase(problem.rank);
    std::map<int, Manner> manners;
    for (const auto& [peer, blocks] : edges)
        manners.emplace(peer, manner_of(blocks, peer, problem, model));
    std::vector<Message> messages;
    for (std::size_t i = 0; i < ranks.size(); ++i) {
        const auto found = edges.find(ranks[i]);
        if (found == edges.end()) continue;
        const Manner manner = manners.at(ranks[i]);
        if (!manner.is_joined) {
            messages.push_back({ranks[i], {}, manner.is_uncut});
            messages.back().edges.push_back(places[i]);
            continue;
        }
        messages.push_back({ranks[i], std::move(found->second), false});
        edges.erase(found);
    }
    return messages;
}

void build(const Problem& problem, Builder& plan) {
    if (problem.shape.alike) return build_alike(problem, plan);
    const Model& model = plan.model();
    std::vector<std::pair<Place, Blocks>> received;
    for (const auto& [peer, edges, is_uncut] :
         messages_of(problem.sources, problem.recv, problem, model)) {
        const Builder::Uncut uncut(plan, is_uncut);
        const Place whole = joined(plan, edges);
        plan.recv(peer, whole);
        if (edges.size() > 1) received.emplace_back(whole, edges);
    }
    for (const auto& [peer, edges, is_uncut] :
         messages_of(problem.destinations, problem.send, problem, model)) {
        const Builder::Uncut uncut(plan, is_uncut);
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
