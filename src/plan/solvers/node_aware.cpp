// SPDX-License-Identifier: BSD-3-Clause
//
// Both nodes of a pair know all edges between them, the one from the lists of those that send, the
// other from the lists of those that receive, and put them into the same order: by sender and then
// by receiver. From it follow, without a word, how a message is laid out and who deals with it: of
// the senders the one with most bytes, of the receivers the one with most, for whom that saves a
// copy; of those with equally many it depends on the nodes, so that all get their share.
#include "plan/solvers/node_aware.hpp"

#include "plan/packing.hpp"
#include "plan/solvers/levels.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

namespace mpix::plan {
namespace {

// Bytes that cross from a rank to a rank; of an edge, or of several that they are alike on.
struct Flow {
    int from = 0, to = 0;
    Bytes bytes = 0;
    Bytes offset = 0; // in the message
};

struct Bundle {
    std::vector<Flow> flows; // in the order of senders, and then of receivers
    Bytes bytes = 0;
    int sender = -1, receiver = -1; // who deal with it
};

// Of what flows one way between two nodes: the rank with most bytes at that end.
int rank_with_most(const std::vector<Flow>& flows, int Flow::*end, int turn) {
    std::map<int, Bytes> bytes;
    for (const Flow& flow : flows) bytes[flow.*end] += flow.bytes;
    Bytes most = 0;
    for (const auto& [rank, sum] : bytes) most = std::max(most, sum);
    std::vector<int> best;
    for (const auto& [rank, sum] : bytes)
        if (sum == most) best.push_back(rank);
    return best[static_cast<std::size_t>(turn) % best.size()];
}

// The edges with bytes of this rank, by the rank at their other end.
class ByRank {
  public:
    ByRank(const std::vector<int>& ranks, const Blocks& places) {
        for (std::size_t i = 0; i < ranks.size(); ++i)
            if (places[i].bytes > 0) sorted_.emplace_back(ranks[i], i);
        std::sort(sorted_.begin(), sorted_.end());
    }
    std::vector<std::size_t> of(int rank) const {
        std::vector<std::size_t> found;
        for (auto at =
                 std::lower_bound(sorted_.begin(), sorted_.end(), std::pair{rank, std::size_t{0}});
             at != sorted_.end() && at->first == rank; ++at)
            found.push_back(at->second);
        return found;
    }

  private:
    std::vector<std::pair<int, std::size_t>> sorted_;
};

class Exchange {
  public:
    Exchange(const Problem& problem, const std::vector<int>& destinations,
             const std::vector<int>& sources, Builder& plan)
        : problem_(problem), plan_(plan), nodes_(problem.shape.nodes), rank_(problem.rank),
          node_(nodes_.of(rank_)), mates_(nodes_.ranks(node_)), destinations_(destinations),
          sources_(sources), send_(problem.send), out_of_(destinations, problem.send),
          in_of_(sources, problem.recv) {}

    void build() {
        if (!send_.empty() && send_ == problem_.recv) set_aside();
        find_bundles();
        for (const auto& [node, bundle] : out_) collect(bundle);
        for (const auto& [node, bundle] : out_) forward(bundle);
        exchange_in_node();
        for (const auto& [node, bundle] : in_) distribute(bundle);
        for (const auto& [node, bundle] : in_) receive(bundle);
    }

  private:
    bool is_alike() const { return problem_.shape.crossing.is_alike(); }
    int node_of(int rank) const { return nodes_.of(rank); }

    // In place: what comes takes the room of what goes out.
    void set_aside() {
        for (std::size_t i = 0; i < send_.size(); ++i) {
            if (destinations_[i] == rank_) continue;
            const Place aside = plan_.scratch(send_[i].bytes);
            plan_.copy(send_[i], aside);
            send_.set(i, aside);
        }
    }

    void find_bundles() {
        for (std::size_t i = 0; i < mates_.size(); ++i) {
            for (const Edge& edge : problem_.mates[i].out)
                add(out_, {mates_[i], static_cast<int>(edge.rank), edge.bytes}, &Flow::to);
            for (const Edge& edge : problem_.mates[i].in)
                add(in_, {static_cast<int>(edge.rank), mates_[i], edge.bytes}, &Flow::from);
        }
        for (auto& [node, bundle] : out_) lay_out(bundle, node_, node);
        for (auto& [node, bundle] : in_) lay_out(bundle, node, node_);
    }
    void add(std::map<int, Bundle>& bundles, const Flow& flow, int Flow::*far_end) {
        const int node = node_of(flow.*far_end);
        if (node != node_ && flow.bytes > 0) bundles[node].flows.push_back(flow);
    }
    void lay_out(Bundle& bundle, int from, int to) const {
        auto& flows = bundle.flows;
        std::stable_sort(flows.begin(), flows.end(), [](const Flow& a, const Flow& b) {
            return std::tie(a.from, a.to) < std::tie(b.from, b.to);
        });
        if (is_alike()) // the k-th edge from rank to rank has what the first has
            flows.erase(std::unique(flows.begin(), flows.end(),
                                    [](const Flow& a, const Flow& b) {
                                        return a.from == b.from && a.to == b.to;
                                    }),
                        flows.end());
        for (std::size_t i = 0; i < flows.size(); ++i) {
            const bool is_there = is_alike() && i > 0 && flows[i].from == flows[i - 1].from;
            flows[i].offset = is_there ? flows[i - 1].offset : bundle.bytes;
            if (!is_there) bundle.bytes += flows[i].bytes;
        }
        bundle.sender = rank_with_most(flows, &Flow::from, from + to);
        bundle.receiver = rank_with_most(flows, &Flow::to, from + to);
    }

    // Of what a rank sends: the run of the message that it has to fill.
    static Place run_of(const Bundle& bundle, int sender, const Place& whole) {
        Bytes begin = bundle.bytes, end = 0;
        for (const Flow& flow : bundle.flows) {
            if (flow.from != sender) continue;
            begin = std::min(begin, flow.offset);
            end = std::max(end, flow.offset + flow.bytes);
        }
        return whole.part(begin, std::max<Bytes>(end - begin, 0));
    }
    // What this rank has for that node, in the order of the message.
    Blocks own_out(const Bundle& bundle) const {
        return own(bundle, &Flow::from, &Flow::to, out_of_, send_, is_alike());
    }
    // Where what comes for this rank has to be, in the order of the message.
    Blocks own_in(const Bundle& bundle) const {
        return own(bundle, &Flow::to, &Flow::from, in_of_, problem_.recv, false);
    }
    Blocks own(const Bundle& bundle, int Flow::*here, int Flow::*there, const ByRank& edges,
               const Blocks& places, bool is_once) const {
        Blocks found;
        int last = -1;
        for (const Flow& flow : bundle.flows) {
            if (flow.*here != rank_ || flow.*there == last) continue;
            last = flow.*there;
            for (const std::size_t edge : edges.of(last)) {
                found.push_back(places[edge]);
                if (is_alike()) break;
            }
            if (is_once) break;
        }
        return found;
    }
    static Blocks for_rank(const Bundle& bundle, int receiver, const Place& whole) {
        Blocks places;
        for (const Flow& flow : bundle.flows)
            if (flow.to == receiver) places.push_back(whole.part(flow.offset, flow.bytes));
        return places;
    }
    static std::vector<int> ends(const Bundle& bundle, int Flow::*end) {
        std::vector<int> ranks;
        for (const Flow& flow : bundle.flows) ranks.push_back(flow.*end);
        std::sort(ranks.begin(), ranks.end());
        ranks.erase(std::unique(ranks.begin(), ranks.end()), ranks.end());
        return ranks;
    }

    void collect(const Bundle& bundle) {
        if (bundle.sender == rank_) return;
        const Blocks places = own_out(bundle);
        const Place whole = joined(plan_, places);
        pack(plan_, places, whole);
        plan_.send(bundle.sender, whole);
    }

    void forward(const Bundle& bundle) {
        if (bundle.sender != rank_) return;
        const std::vector<int> senders = ends(bundle, &Flow::from);
        const Blocks own = own_out(bundle);
        const Place whole = senders.size() == 1 ? joined(plan_, own) : plan_.scratch(bundle.bytes);
        for (const int sender : senders) {
            const Place run = run_of(bundle, sender, whole);
            sender == rank_ ? pack(plan_, own, run) : plan_.recv(sender, run);
        }
        plan_.send(bundle.receiver, whole);
    }

    void distribute(const Bundle& bundle) {
        if (bundle.receiver != rank_) return;
        const std::vector<int> receivers = ends(bundle, &Flow::to);
        const Blocks own = own_in(bundle);
        const Place whole =
            receivers.size() == 1 ? joined(plan_, own) : plan_.scratch(bundle.bytes);
        plan_.recv(bundle.sender, whole);
        for (const int receiver : receivers) {
            if (receiver == rank_) continue;
            const Blocks places = for_rank(bundle, receiver, whole);
            const Place part = joined(plan_, places);
            pack(plan_, places, part);
            plan_.send(receiver, part);
        }
        const Blocks parts = for_rank(bundle, rank_, whole);
        plan_.copy(moves(parts, own));
        copy_alike(bundle);
    }

    void receive(const Bundle& bundle) {
        if (bundle.receiver == rank_) return;
        const Blocks places = own_in(bundle);
        const Place whole = joined(plan_, places);
        plan_.recv(bundle.receiver, whole);
        unpack(plan_, whole, places);
        copy_alike(bundle);
    }

    // What came once, to the other edges from the same rank.
    void copy_alike(const Bundle& bundle) {
        if (!is_alike()) return;
        for (const Flow& flow : bundle.flows) {
            if (flow.to != rank_) continue;
            const std::vector<std::size_t> edges = in_of_.of(flow.from);
            for (const std::size_t edge : edges)
                plan_.copy(problem_.recv[edges[0]], problem_.recv[edge]);
        }
    }

    // Edges that do not cross; the k-th edge to oneself is the k-th from oneself.
    void exchange_in_node() {
        for (std::size_t i = 0; i < sources_.size(); ++i)
            if (sources_[i] != rank_ && node_of(sources_[i]) == node_)
                plan_.recv(sources_[i], problem_.recv[i]);
        std::size_t from = 0;
        for (std::size_t i = 0; i < destinations_.size(); ++i) {
            if (destinations_[i] != rank_) {
                if (node_of(destinations_[i]) == node_) plan_.send(destinations_[i], send_[i]);
                continue;
            }
            while (sources_[from] != rank_) ++from;
            plan_.copy(send_[i], problem_.recv[from++]);
        }
    }

    const Problem& problem_;
    Builder& plan_;
    const Nodes& nodes_;
    int rank_;
    int node_;
    RankList mates_;
    const std::vector<int>& destinations_;
    const std::vector<int>& sources_;
    Blocks send_;
    ByRank out_of_, in_of_;
    std::map<int, Bundle> out_, in_; // by the other node
};

} // namespace

bool is_node_aware(const Shape& shape) { return shape.crossing.is_known(); }

double cost_of_edges(const Shape& shape, const Model& model) {
    const Crossing& crossing = shape.crossing;
    const auto messages = static_cast<double>(crossing.messages);
    const Model across = model.between_nodes(shape.nodes.largest());
    const auto of_node = static_cast<double>(crossing.node_bytes);
    return across.message(0) + across.asking(static_cast<double>(shape.largest)) +
           across.of_everyone(messages * across.exchanging()) +
           static_cast<double>(crossing.node_messages) * across.gap_us +
           std::max(static_cast<double>(crossing.bytes), of_node / across.streams) *
               model.between_nodes(1).per_byte_us;
}

double cost_of_node_aware(const Shape& shape, const Model& model) {
    const Crossing& crossing = shape.crossing;
    const auto nodes = static_cast<double>(crossing.nodes);
    const auto bytes = static_cast<double>(crossing.merged_bytes);
    const double dealers = std::min(nodes, static_cast<double>(shape.nodes.largest()));
    const double each = std::ceil(nodes / dealers); // messages of a dealer
    const Model within = model.within(shape.nodes.inside_largest().locality),
                across = model.between_nodes(static_cast<int>(dealers));
    // Out to the dealers, which send them on, and in from them.
    const double hop = within.latency_us +
                       within.of_everyone(dealers * within.exchanging() +
                                          bytes / dealers * (within.per_byte_us + within.copy_us));
    return no_overlap *
           (2 * hop + across.message(0) + across.asking(bytes / nodes) +
            across.of_everyone(each * across.exchanging()) + nodes * across.gap_us +
            std::max(bytes / dealers, bytes / across.streams) * model.between_nodes(1).per_byte_us);
}

void build_node_aware(const Problem& problem, const std::vector<int>& destinations,
                      const std::vector<int>& sources, Builder& plan) {
    Exchange(problem, destinations, sources, plan).build();
}

} // namespace mpix::plan
