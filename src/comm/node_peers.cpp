// SPDX-License-Identifier: BSD-3-Clause
//
// Finding each other: who is where, then tickets within each node, then each maps what it can, and
// all agree on whether everyone could. If not, some leave their nodes, and it is done again.
#include "comm/node_peers.hpp"

#include "base/hash.hpp"
#include "base/settings.hpp"
#include "comm/calibration.hpp"
#include "comm/exchange.hpp"
#include "comm/network_cards.hpp"
#include "comm/placement.hpp"
#include "comm/spot.hpp"
#include "host/host.hpp"
#include "plan/insistent_allocator.hpp"
#include "progress/transport.hpp"
#include "progress/waiting.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdio>
#include <cstring>
#include <new>
#include <optional>

namespace mpix::comm {
namespace {

// The largest tag of messages on a shadow of this communicator.
int tag_limit(MPI_Comm comm) {
    const int wanted = base::settings().MPIX_TAG_LIMIT, has = host::tag_limit(comm);
    return wanted > 0 ? std::min(wanted, has) : has;
}

// From the farthest.
constexpr std::array localities{plan::Locality::node, plan::Locality::socket,
                                plan::Locality::cache};

Introduction* introductions(shmem::Block* table) {
    return reinterpret_cast<Introduction*>(table->data());
}

// That no other has which a process knows together with it: both have the same first rank.
std::uint64_t new_name() {
    static std::atomic<std::uint64_t> names{0};
    return names.fetch_add(1, std::memory_order_relaxed) + 1;
}

} // namespace

// A ticket, and what the others of the node have to know beside it.
struct NodePeers::Entry {
    static constexpr std::uint64_t nowhere = ~std::uint64_t{0};

    shmem::Ticket ticket;
    std::int64_t part = 0;             // of the node; -1: alone
    std::uint64_t doorbell = nowhere;  // where it sleeps, in its segment
    std::uint64_t benchmark = nowhere; // where it would measure, and the first number of that
    std::uint64_t run = 0;
    Spot spot;
    std::array<bool, 4> knows{}; // what costs by locality

    Site site() const {
        if (part < 0) return {shmem::machine(), Site::alone};
        if (ticket.reserved == 0) return {shmem::machine(), Site::refused};
        const std::uint64_t memory = base::hash_of(ticket.machine, ticket.processes, part);
        return {shmem::machine(), std::max(memory, Site::refused + 1), spot};
    }
    plan::Locality shared(const Entry& other) const {
        const bool is_told = spot.socket != 0 || spot.cache != 0;
        if (!is_told || spot.socket != other.spot.socket) return plan::Locality::node;
        if (spot.cache == 0 || spot.cache != other.spot.cache) return plan::Locality::socket;
        return plan::Locality::cache;
    }
    bool shares_memory(const Entry& other) const {
        return ticket.machine == other.ticket.machine &&
               ticket.processes == other.ticket.processes && part == other.part;
    }
};

// What each tells the others of its node when it has looked at their entries.
struct NodePeers::Outcome {
    std::uint64_t table = 0;
    Missing missing;
    bool can_read = false;
};

// What all tell all, their bits together.
struct NodePeers::Verdict {
    std::uint64_t leaves = 0;                 // a rank does
    std::uint64_t is_without_nodes = 0;       // it had no memory to know them
    std::uint64_t missing_cards = 0;          // of its network
    std::array<std::uint64_t, 2> tag_limit{}; // as it is, and its complement
    std::array<Fingerprints, 2> fingerprints{};
    // Of the first rank alone.
    std::uint64_t name = 0;
    std::array<std::byte, sizeof(shmem::Costs)> costs{};
    std::array<std::byte, sizeof(NetworkCosts)> network{};

    AllFingerprints all_fingerprints() const {
        return {fingerprints[0], fingerprints[1].complement()};
    }
};

// What is needed on the way.
struct NodePeers::Search {
    Search(int ranks, int most_mates) : placement(ranks, most_mates) {
        entries.reserve(static_cast<std::size_t>(most_mates));
        outcomes.reserve(static_cast<std::size_t>(most_mates));
        missing.reserve(static_cast<std::size_t>(most_mates));
        tables.reserve(static_cast<std::size_t>(most_mates));
        if (ranks > 1) message = std::make_unique_for_overwrite<NetworkMessage>();
    }

    std::size_t self() const { return static_cast<std::size_t>(placement.self()); }
    Ranks mates(const Ranks& all_ranks) const {
        return {all_ranks.comm, placement.self(), static_cast<int>(placement.mates().size()),
                placement.mates().data()};
    }

    Verdict own_verdict(const Ranks& all_ranks) const;
    Missing everything() const { return {static_cast<int>(entries.size()), 0}; }
    bool would_measure_network() const {
        return placement.elsewhere() >= 0 && !network.is_there &&
               base::settings().MPIX_MEASURE != false;
    }

    Entry own = own_entry();
    Site site = own.site();
    shmem::Costs costs = Calibration::known();
    NetworkCosts network = known_network();
    std::optional<Calibration> calibration;
    Placement placement;
    std::vector<Entry> entries; // of the mates
    std::vector<Outcome> outcomes;
    std::vector<Missing> missing;
    std::vector<std::uint64_t> tables;
    std::unique_ptr<NetworkMessage> message;
    std::unique_ptr<Verdict> verdict = std::make_unique<Verdict>();
};

// But for what this rank has found out in its node.
NodePeers::Verdict NodePeers::Search::own_verdict(const Ranks& all_ranks) const {
    Verdict own_bits;
    own_bits.missing_cards = missing_cards(fast_cards());
    own_bits.tag_limit[0] = static_cast<std::uint64_t>(tag_limit(all_ranks.comm));
    own_bits.tag_limit[1] = ~own_bits.tag_limit[0];
    own_bits.fingerprints = {Fingerprints::own(), Fingerprints::own().complement()};
    if (all_ranks.self != 0) return own_bits;
    own_bits.name = new_name();
    std::memcpy(own_bits.costs.data(), &costs, sizeof costs);
    std::memcpy(own_bits.network.data(), &network, sizeof network);
    return own_bits;
}

NodePeers::NodePeers() = default;

// As many as the launcher has started here, and some more where that costs little.
void NodePeers::prepare(int ranks_of_all) {
    constexpr int little = 256;
    const int most_mates = std::min(ranks_of_all, std::max(host::ranks_on_node(), little));
    peers_.reserve(static_cast<std::size_t>(most_mates));
    search_ = std::make_unique<Search>(ranks_of_all, most_mates);
}

NodePeers::Findings NodePeers::find(const Ranks& all_ranks) {
    const std::unique_ptr<Search> search = std::move(search_);
    if (all_ranks.count == 1) {
        name_ = new_name();
        const Fingerprints own = Fingerprints::own();
        return {{own, own}, tag_limit(all_ranks.comm), search->costs, {}, {}};
    }
    search->calibration.emplace(all_ranks.self == 0 && !search->site.is_alone());
    if (const shmem::Benchmark* const benchmark = search->calibration->benchmark()) {
        search->own.benchmark = shmem::segment().offset(benchmark);
        search->own.run = search->calibration->run();
        for (const plan::Locality locality : localities)
            search->own.knows[static_cast<std::size_t>(locality)] = Calibration::knows(locality);
    }
    while (!meet_mates(all_ranks, *search)) {}
    return conclude(all_ranks, *search);
}

// One round. False if a rank leaves its node.
bool NodePeers::meet_mates(const Ranks& all_ranks, Search& search) {
    const bool knows_nodes = search.placement.find(all_ranks, search.site);
    const Ranks mates = search.mates(all_ranks);
    plan::insist_on_memory([&] { // it is there, if the launcher has told the truth
        const auto count = static_cast<std::size_t>(mates.count);
        search.entries.resize(count);
        search.outcomes.resize(count);
        search.missing.resize(count);
        search.tables.resize(count);
        peers_.resize(count);
    });
    exchange(mates, search.own, search.entries);
    const Outcome outcome = look(search);
    const bool is_bystander = search.would_measure_network() && all_ranks.self != 0 &&
                              all_ranks.self != search.placement.elsewhere();
    measure(search);
    measure_network(all_ranks, search);
    const progress::LeaveCores leave_cores(is_bystander); // to the two that measure
    exchange(mates, outcome, search.outcomes);
    std::ranges::transform(search.outcomes, search.missing.begin(), &Outcome::missing);
    std::ranges::transform(search.outcomes, search.tables.begin(), &Outcome::table);
    const bool leaves = comm::leaves(search.missing, mates.self);
    Verdict& verdict = *search.verdict;
    verdict = search.own_verdict(all_ranks);
    verdict.is_without_nodes = !knows_nodes;
    verdict.leaves = leaves;
    constexpr std::size_t words = sizeof(Verdict) / sizeof(std::uint64_t);
    static_assert(words * sizeof(std::uint64_t) == sizeof(Verdict));
    combine(all_ranks, &verdict, words, MPI_UINT64_T, MPI_BOR);
    if (verdict.leaves == 0) return true;
    if (leaves) search.site.memory = Site::refused;
    search.own.benchmark = Entry::nowhere; // it has been measured
    forget_mates();
    return false;
}

NodePeers::Findings NodePeers::conclude(const Ranks& all_ranks, const Search& search) {
    const Verdict& verdict = *search.verdict;
    Findings findings{
        verdict.all_fingerprints(), static_cast<int>(verdict.tag_limit[0]), {}, {}, {}};
    if (verdict.tag_limit[0] != ~verdict.tag_limit[1]) {
        findings.tag_limit = tag_limit(all_ranks.comm);
        combine(all_ranks, &findings.tag_limit, 1, MPI_INT, MPI_MIN);
    }
    std::memcpy(&findings.costs, verdict.costs.data(), verdict.costs.size());
    std::memcpy(&findings.network, verdict.network.data(), verdict.network.size());
    if (search.placement.elsewhere() >= 0) {
        findings.usual_network = usual_network(fewest_cards(verdict.missing_cards));
        findings.network.streams = findings.usual_network.streams;
    }
    name_ = verdict.name;
    costs_ = findings.costs;
    learn_network(findings.network);
    if (search.placement.mates()[0] == 0) Calibration::learn(costs_);
    everyone_ = peers_.size() == static_cast<std::size_t>(all_ranks.count);
    can_read_ = std::ranges::all_of(search.outcomes, &Outcome::can_read);
    if (verdict.is_without_nodes != 0) {
        forget_mates();
        everyone_ = false;
    } else {
        nodes_ = search.placement.nodes();
        connect(search.self(), search.tables);
        peers_.shrink_to_fit();
    }
    report(all_ranks, search);
    if (all_ranks.self == 0) {
        Calibration::tell(costs_);
        tell(findings.network);
    }
    return findings;
}

// The others wait for it: whoever has no memory for this leaves, but with an answer.
NodePeers::Outcome NodePeers::look(const Search& search) try {
    Outcome outcome;
    outcome.missing = map(search);
    outcome.can_read = base::settings().MPIX_CMA != false &&
                       std::ranges::all_of(peers_, [](const NodePeer& node_peer) {
                           return !node_peer.peer || node_peer.peer->is_readable();
                       });
    return offer(outcome.table) ? outcome : Outcome{.missing = search.everything()};
} catch (const std::bad_alloc&) {
    return {.missing = search.everything()};
}

Missing NodePeers::map(const Search& search) {
    Missing missing;
    for (std::size_t i = 0; i < peers_.size(); ++i) {
        NodePeer& node_peer = peers_[i];
        const Entry& entry = search.entries[i];
        node_peer.rank = search.placement.mates()[i];
        if (i == search.self()) continue;
        if (search.own.shares_memory(entry)) node_peer.peer = shmem::find_peer(entry.ticket);
        if (!node_peer.peer && missing.mates++ == 0) missing.first = static_cast<int>(i);
        if (node_peer.peer && entry.doorbell != Entry::nowhere)
            node_peer.doorbell =
                reinterpret_cast<shmem::Doorbell*>(node_peer.peer->at(entry.doorbell));
    }
    return missing;
}

// False if there is no memory for it.
bool NodePeers::offer(std::uint64_t& table) {
    const std::size_t others = peers_.size() - 1;
    if (others == 0) return true;
    table_ = shmem::new_block(peers_.size() * sizeof(Introduction), others);
    if (!table_) return false;
    table = shmem::segment().offset(table_);
    for (std::size_t place = 0; place < peers_.size(); ++place)
        new (&introductions(table_)[place]) Introduction;
    return true;
}

void NodePeers::forget_mates() {
    if (table_) shmem::segment().free(reinterpret_cast<std::byte*>(table_));
    table_ = nullptr;
    peers_.clear();
}

// The first rank measures, with the next of its node at each locality.
void NodePeers::measure(Search& search) const {
    const Entry& leader = search.entries[0];
    const bool is_there = search.placement.mates()[0] == 0 && leader.benchmark != Entry::nowhere;
    if (!is_there) return;
    int runs = 0;
    for (const plan::Locality locality : localities) {
        std::size_t other = 1;
        while (other < peers_.size() && leader.shared(search.entries[other]) != locality) ++other;
        if (other == peers_.size() || leader.knows[static_cast<std::size_t>(locality)]) continue;
        const std::uint64_t run = leader.run + static_cast<std::uint64_t>(runs);
        if (search.self() == 0 && peers_[other].peer) search.calibration->lead(locality, run);
        if (search.self() == other && peers_[0].peer)
            reinterpret_cast<shmem::Benchmark*>(peers_[0].peer->at(leader.benchmark))
                ->follow(run, peers_[0].peer->at(0), leader.ticket.process,
                         base::settings().MPIX_CMA != false, runs);
        ++runs;
    }
    if (search.self() == 0) search.costs = Calibration::known();
}

// The first rank measures, with the first one of another machine, if it knows nothing yet.
void NodePeers::measure_network(const Ranks& all_ranks, Search& search) {
    const int other = search.placement.elsewhere();
    if (other < 0) search.network = {};
    if (other >= 0 && all_ranks.self == other) answer_network(all_ranks.comm, 0, *search.message);
    if (other < 0 || all_ranks.self != 0) return;
    if (!search.would_measure_network())
        return skip_network(all_ranks.comm, other, *search.message);
    search.network = lead_network(all_ranks.comm, other, *search.message);
    learn_network(search.network);
}

NodePeers::Entry NodePeers::own_entry() {
    Entry own;
    own.part = part_of_node();
    if (own.part < 0) return own;
    own.spot = own_spot();
    own.ticket = shmem::segment().ticket();
    if (shmem::Doorbell* doorbell = progress::doorbell_for_mates())
        own.doorbell = shmem::segment().offset(doorbell);
    return own;
}

// In each rank's table there is an introduction to every rank of the node.
void NodePeers::connect(std::size_t self, const std::vector<std::uint64_t>& tables) {
    for (std::size_t i = 0; i < peers_.size(); ++i) {
        NodePeer& node_peer = peers_[i];
        if (!node_peer.peer) continue;
        node_peer.table = reinterpret_cast<shmem::Block*>(node_peer.peer->at(tables[i]));
        node_peer.to = &introductions(table_)[i];
        node_peer.from = &introductions(node_peer.table)[self];
    }
}

// Says once what cannot be had, if the program has not been asked to do without.
void NodePeers::report(const Ranks& all_ranks, const Search& search) const {
    static std::atomic_flag is_said{};
    if (search.placement.refused() == all_ranks.self)
        return progress::report_no_memory(); // one speaks for all
    const bool has_all = can_read_ || base::settings().MPIX_CMA == false;
    if (all_ranks.self != 0 || has_all || base::settings().MPIX_VERBOSE.empty() ||
        is_said.test_and_set())
        return;
    std::fputs("mpix: not every rank may read the others' memory, large messages are staged in "
               "shared memory\n",
               stderr);
}

NodePeers::~NodePeers() {
    for (NodePeer& node_peer : peers_)
        if (node_peer.table) shmem::leave(*node_peer.table);
    if (table_) shmem::retire(table_);
}

void NodePeers::place(plan::Shape& shape, bool over_host) const {
    if (over_host) return;
    shape.one_node = everyone_;
    if (!everyone_) {
        shape.nodes = nodes_;
    } else if (!nodes_.empty()) {
        shape.locality = nodes_.inside_largest().locality;
        shape.nodes = nodes_.inside_largest().nodes;
    }
}

} // namespace mpix::comm
