// SPDX-License-Identifier: BSD-3-Clause
//
// Finding each other: tickets are exchanged over the host, then each maps what it can, and then all
// agree on whether everyone could.
#include "comm/node_peers.hpp"

#include "base/settings.hpp"
#include "comm/calibration.hpp"
#include "comm/exchange.hpp"
#include "comm/network.hpp"
#include "comm/tag_allocator.hpp"
#include "host/host.hpp"
#include "progress/transport.hpp"
#include "progress/waiting.hpp"

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <map>
#include <new>
#include <tuple>

namespace mpix::comm {
namespace {

Introduction* introductions(shmem::Block* table) {
    return reinterpret_cast<Introduction*>(table->data());
}

void tell(const shmem::Costs& costs) {
    static std::atomic_flag is_said{};
    if (!base::is_listed(base::settings().MPIX_VERBOSE, "plan") || is_said.test_and_set()) return;
    const auto rate = [](const shmem::Cost& cost) { return 1e-3 / cost.per_byte; };
    std::fprintf(stderr,
                 "mpix: within the node a number takes %.2f us; a long message goes at %.1f GB/s "
                 "through the caches, %.1f past them, %.1f read by the kernel, %.1f in place\n",
                 costs.latency, rate(costs.cached), rate(costs.streamed), rate(costs.read),
                 rate(costs.mapped));
}

void tell(const NetworkCosts& costs) {
    static std::atomic_flag is_said{};
    if (!base::is_listed(base::settings().MPIX_VERBOSE, "plan") || is_said.test_and_set()) return;
    std::fprintf(stderr,
                 "mpix: between nodes a message takes %.2f us, %.2f of them to post it; a long one "
                 "goes at %.1f GB/s, and takes %.2f us more from %.0f bytes on\n",
                 costs.latency, costs.overhead, 1e-3 / costs.per_byte, costs.rendezvous,
                 costs.eager);
}

} // namespace

std::int64_t part_of_node() {
    if (base::settings().MPIX_TRANSPORT == "host") return -1;
    const int size = base::settings().MPIX_NODE_SIZE;
    return size > 0 ? host::rank_on_node() / size : 0;
}

// A ticket, and what others have to know beside it.
struct NodePeers::Entry {
    static constexpr std::uint64_t nowhere = ~std::uint64_t{0};

    shmem::Ticket ticket;
    std::int64_t part = 0;             // of the node; -1: alone
    std::uint64_t doorbell = nowhere;  // where it sleeps, in its segment
    std::uint64_t benchmark = nowhere; // where it would measure, and the number of that
    std::uint64_t run = 0;
    int tag_limit = 0;
    std::uint64_t machine = shmem::machine();
    bool has_fast_network = comm::has_fast_network();
    bool knows_network = known_network().is_there;
    bool measures = base::settings().MPIX_MEASURE != false;
    Fingerprints fingerprints{};

    bool shares_any() const { return part >= 0 && ticket.reserved; }
    // Equal for ranks that share memory.
    auto domain() const { return std::tuple(ticket.machine, ticket.processes, part); }
    bool shares_memory(const Entry& other) const {
        return shares_any() && other.shares_any() && domain() == other.domain();
    }
};

// What each knows after it has looked at the others' entries.
struct NodePeers::Outcome {
    std::uint64_t table = 0, is_mapped = 0, can_read = 0;
    shmem::Costs costs;
    NetworkCosts network;
};

// What is needed on the way.
struct NodePeers::Search {
    explicit Search(std::size_t ranks) : all(ranks), outcomes(ranks), places(ranks) {
        findings.fingerprints.reserve(ranks);
        if (ranks > 1) message = std::make_unique_for_overwrite<NetworkMessage>();
    }

    Entry own = own_entry();
    const shmem::Costs known = Calibration::known();
    std::vector<Entry> all;
    std::vector<Outcome> outcomes;
    Places places;
    std::unique_ptr<NetworkMessage> message;
    Findings findings;
};

NodePeers::NodePeers() = default;

void NodePeers::prepare(int ranks_of_all) {
    const auto ranks = static_cast<std::size_t>(ranks_of_all);
    peers_.resize(ranks);
    nodes_.resize(ranks);
    search_ = std::make_unique<Search>(ranks);
}

NodePeers::Findings NodePeers::find(const AllRanks& all_ranks) {
    const std::unique_ptr<Search> search = std::move(search_);
    auto& [own, known, all, outcomes, places, message, findings] = *search;
    own.tag_limit = findings.tag_limit = tag_limit(all_ranks.comm);
    if (all.size() == 1) {
        findings.fingerprints.push_back(own.fingerprints);
        findings.costs = known;
        return std::move(findings);
    }
    const int self = all_ranks.rank;
    const Calibration calibration(self == 0 && own.shares_any());
    if (calibration.benchmark()) {
        own.benchmark = shmem::segment().offset(calibration.benchmark());
        own.run = calibration.run();
    }
    exchange(all_ranks, own, all);
    for (const Entry& entry : all) {
        findings.fingerprints.push_back(entry.fingerprints);
        findings.tag_limit = std::min(findings.tag_limit, entry.tag_limit);
    }
    Outcome outcome = look(all, self, calibration, places);
    outcome.network = measure_network(all, all_ranks, *message);
    exchange(all_ranks, outcome, outcomes);
    findings.costs = costs_ = outcomes[0].costs;
    findings.network = outcomes[0].network;
    findings.usual_network = usual(all);
    learn_network(findings.network);
    if (self == 0 || all[0].shares_memory(all[static_cast<std::size_t>(self)]))
        Calibration::learn(costs_);
    settle(outcomes);
    report(all, self);
    if (self == 0 && costs_.is_measured) tell(costs_);
    if (self == 0 && findings.network.is_there) tell(findings.network);
    if (table_) connect(outcomes, self, places);
    return std::move(findings);
}

// The first rank measures, with the first one of another machine; it tells what it knows already.
NetworkCosts NodePeers::measure_network(const std::vector<Entry>& all, const AllRanks& all_ranks,
                                        NetworkMessage& message) {
    const auto other = std::ranges::find_if(
        all, [&](const Entry& entry) { return entry.machine != all[0].machine; });
    if (other == all.end()) return {};
    const int second = static_cast<int>(other - all.begin());
    if (all[0].knows_network || !all[0].measures)
        return all_ranks.rank == 0 ? known_network() : NetworkCosts{};
    if (all_ranks.rank == 0) return lead_network(all_ranks.comm, second, message);
    if (all_ranks.rank == second) answer_network(all_ranks.comm, 0, message);
    return {};
}

NetworkCosts NodePeers::usual(const std::vector<Entry>& all) {
    const bool is_one_machine = std::ranges::all_of(
        all, [&](const Entry& entry) { return entry.machine == all[0].machine; });
    if (is_one_machine) return {};
    return usual_network(std::ranges::all_of(all, &Entry::has_fast_network));
}

// The others wait for it: without memory for this there are no node peers, but an answer.
NodePeers::Outcome NodePeers::look(const std::vector<Entry>& all, int self,
                                   const Calibration& calibration, Places& places) try {
    Outcome outcome;
    number_nodes(all, places);
    outcome.is_mapped = map(all, self);
    outcome.costs = measure(all, self, calibration);
    offer(outcome);
    return outcome;
} catch (const std::bad_alloc&) {
    return {};
}

NodePeers::Entry NodePeers::own_entry() {
    Entry own;
    own.fingerprints = Fingerprints::own();
    own.part = part_of_node();
    if (own.part < 0) return own;
    own.ticket = shmem::segment().ticket();
    if (shmem::Doorbell* doorbell = progress::doorbell_to_sleep_at())
        own.doorbell = shmem::segment().offset(doorbell);
    return own;
}

// The first rank measures, with the next of its node.
shmem::Costs NodePeers::measure(const std::vector<Entry>& all, int self,
                                const Calibration& calibration) const {
    const auto second = static_cast<std::size_t>(
        std::find_if(all.begin() + 1, all.end(),
                     [&](const Entry& e) { return e.shares_memory(all[0]); }) -
        all.begin());
    const bool has_benchmark = all[0].benchmark != Entry::nowhere && second < all.size();
    if (self == 0)
        return has_benchmark && peers_[second].peer ? calibration.lead() : Calibration::known();
    if (has_benchmark && self == static_cast<int>(second) && peers_[0].peer)
        reinterpret_cast<shmem::Benchmark*>(peers_[0].peer->at(all[0].benchmark))
            ->follow(all[0].run, peers_[0].peer->at(0), all[0].ticket.process,
                     base::settings().MPIX_CMA != false);
    return {};
}

void NodePeers::offer(Outcome& outcome) {
    const auto peers = static_cast<std::size_t>(
        std::count_if(peers_.begin(), peers_.end(), [](const NodePeer& m) { return m.peer; }));
    if (outcome.is_mapped && peers > 0) {
        table_ = shmem::new_block((peers + 1) * sizeof(Introduction), peers);
        outcome.is_mapped = table_ != nullptr;
        if (table_) outcome.table = shmem::segment().offset(table_);
        for (std::size_t place = 0; table_ && place <= peers; ++place)
            new (&introductions(table_)[place]) Introduction;
    }
    outcome.can_read = base::settings().MPIX_CMA != false &&
                       std::all_of(peers_.begin(), peers_.end(), [](const NodePeer& m) {
                           return !m.peer || m.peer->is_readable();
                       });
    everyone_ = peers + 1 == peers_.size();
}

void NodePeers::settle(const std::vector<Outcome>& outcomes) {
    const auto every = [&](auto member) {
        return std::all_of(outcomes.begin(), outcomes.end(),
                           [&](const Outcome& o) { return o.*member; });
    };
    is_mapped_ = every(&Outcome::is_mapped);
    can_read_ = is_mapped_ && every(&Outcome::can_read);
    if (is_mapped_) return;
    if (table_) shmem::segment().free(reinterpret_cast<std::byte*>(table_));
    table_ = nullptr;
    everyone_ = false;
    for (NodePeer& node_peer : peers_) node_peer = {};
    for (std::size_t r = 0; r < nodes_.size(); ++r) nodes_[r] = static_cast<int>(r);
}

void NodePeers::number_nodes(const std::vector<Entry>& all, Places& places) {
    struct Node {
        int number;
        std::uint32_t ranks;
    };
    std::map<decltype(all[0].domain()), Node> found;
    int nodes = 0;
    for (std::size_t r = 0; r < all.size(); ++r) {
        if (!all[r].shares_any()) {
            nodes_[r] = nodes++;
            continue;
        }
        const auto [at, is_new] = found.try_emplace(all[r].domain(), Node{nodes, 0});
        nodes += is_new;
        nodes_[r] = at->second.number;
        places[r] = at->second.ranks++;
    }
}

// True if everyone on this node is there.
bool NodePeers::map(const std::vector<Entry>& all, int self) {
    const Entry& own = all[static_cast<std::size_t>(self)];
    bool is_complete = true;
    for (std::size_t r = 0; r < all.size(); ++r) {
        if (static_cast<int>(r) == self || !own.shares_memory(all[r])) continue;
        peers_[r].peer = shmem::find_peer(all[r].ticket);
        if (!peers_[r].peer)
            is_complete = false;
        else if (all[r].doorbell != Entry::nowhere)
            peers_[r].doorbell =
                reinterpret_cast<shmem::Doorbell*>(peers_[r].peer->at(all[r].doorbell));
    }
    return is_complete;
}

// In each rank's table there is an introduction to every rank of the node.
void NodePeers::connect(const std::vector<Outcome>& outcomes, int self, const Places& places) {
    for (std::size_t r = 0; r < peers_.size(); ++r) {
        NodePeer& node_peer = peers_[r];
        if (!node_peer.peer) continue;
        node_peer.table = reinterpret_cast<shmem::Block*>(node_peer.peer->at(outcomes[r].table));
        node_peer.to = &introductions(table_)[places[r]];
        node_peer.from = &introductions(node_peer.table)[places[static_cast<std::size_t>(self)]];
    }
}

// Says once what cannot be had, if the program has not been asked to do without.
void NodePeers::report(const std::vector<Entry>& all, int self) const noexcept try {
    static std::atomic_flag is_said{};
    const auto without = std::find_if(all.begin(), all.end(), [](const Entry& e) {
        return e.part >= 0 && e.ticket.reserved == 0;
    });
    if (without - all.begin() == self || (!is_mapped_ && self == 0))
        return progress::report_no_memory(); // one speaks for all
    const bool has_all = !is_mapped_ || can_read_ || base::settings().MPIX_CMA == false;
    if (self != 0 || has_all || base::settings().MPIX_VERBOSE.empty() || is_said.test_and_set())
        return;
    std::fputs("mpix: not every rank may read the others' memory, large messages are staged in "
               "shared memory\n",
               stderr);
} catch (const std::bad_alloc&) { // it is not said
}

NodePeers::~NodePeers() {
    for (NodePeer& node_peer : peers_)
        if (node_peer.table) shmem::leave(*node_peer.table);
    if (table_) shmem::retire(table_);
}

void NodePeers::introduce(int rank, std::uint64_t plan, Introduction::Kind kind,
                          std::uint64_t block) {
    Introduction& to = *node_peer(rank).to;
    to.kind = kind;
    to.block = block;
    to.plan.store(plan, std::memory_order_release);
    if (shmem::Doorbell* doorbell = node_peer(rank).doorbell) doorbell->ring();
}

const Introduction& NodePeers::meet(int rank, std::uint64_t plan) const {
    const Introduction& from = *node_peer(rank).from;
    progress::wait_until([&] { return from.plan.load(std::memory_order_acquire) >= plan; });
    return from;
}

void NodePeers::give_up(std::uint64_t plan) {
    for (std::size_t r = 0; r < peers_.size(); ++r)
        if (peers_[r].to && peers_[r].to->plan.load(std::memory_order_relaxed) < plan)
            introduce(static_cast<int>(r), plan, Introduction::failed);
}

} // namespace mpix::comm
