// SPDX-License-Identifier: BSD-3-Clause
//
// Finding each other: tickets are exchanged over the host, then each maps what it can, and then all
// agree on whether everyone could.
#include "run/mates.hpp"

#include "base/settings.hpp"
#include "host/host.hpp"
#include "run/exchange.hpp"
#include "run/survey.hpp"
#include "run/tag_circle.hpp"
#include "run/transport.hpp"
#include "run/waiting.hpp"

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <map>
#include <new>
#include <tuple>

namespace mpix::run {
namespace {

Introduction* introductions(node::Block* table) {
    return reinterpret_cast<Introduction*>(table->data());
}

void tell(const node::Costs& costs) {
    static std::atomic_flag is_said{};
    if (!base::is_listed(base::settings().MPIX_VERBOSE, "plan") || is_said.test_and_set()) return;
    const auto rate = [](const node::Cost& cost) { return 1e-3 / cost.per_byte; };
    std::fprintf(stderr,
                 "mpix: within the node a number takes %.2f us; a long message goes at %.1f GB/s "
                 "through the caches, %.1f past them, %.1f read by the kernel, %.1f in place\n",
                 costs.latency, rate(costs.cached), rate(costs.streamed), rate(costs.read),
                 rate(costs.mapped));
}

} // namespace

std::int64_t part_of_node() {
    if (base::settings().MPIX_TRANSPORT == "host") return -1;
    const int size = base::settings().MPIX_NODE_SIZE;
    return size > 0 ? host::rank_on_node() / size : 0;
}

// A ticket, and what others have to know beside it.
struct Mates::Entry {
    static constexpr std::uint64_t nowhere = ~std::uint64_t{0};

    node::Ticket ticket;
    std::int64_t part = 0;          // of the node; -1: alone
    std::uint64_t bell = nowhere;   // where it sleeps, in its segment
    std::uint64_t course = nowhere; // where it would measure, and the number of that
    std::uint64_t run = 0;
    int tag_limit = 0;
    Fingerprints fingerprints{};

    bool shares_any() const { return part >= 0 && ticket.reserved; }
    // Equal for ranks that share memory.
    auto home() const { return std::tuple(ticket.machine, ticket.processes, part); }
    bool shares_memory(const Entry& other) const {
        return shares_any() && other.shares_any() && home() == other.home();
    }
};

// What each knows after it has looked at the others' entries.
struct Mates::Outcome {
    std::uint64_t table = 0, is_mapped = 0, can_read = 0;
    node::Costs costs;
};

// What is needed on the way.
struct Mates::Search {
    explicit Search(std::size_t ranks) : all(ranks), outcomes(ranks), places(ranks) {
        findings.fingerprints.reserve(ranks);
    }

    Entry own = own_entry();
    const node::Costs known = Survey::known();
    std::vector<Entry> all;
    std::vector<Outcome> outcomes;
    Places places;
    Findings findings;
};

Mates::Mates() = default;

void Mates::prepare(int ranks_of_all) {
    const auto ranks = static_cast<std::size_t>(ranks_of_all);
    mates_.resize(ranks);
    nodes_.resize(ranks);
    search_ = std::make_unique<Search>(ranks);
}

Mates::Findings Mates::find(const AllRanks& all_ranks) {
    const std::unique_ptr<Search> search = std::move(search_);
    auto& [own, known, all, outcomes, places, findings] = *search;
    own.tag_limit = findings.tag_limit = tag_limit(all_ranks.comm);
    if (all.size() == 1) {
        findings.fingerprints.push_back(own.fingerprints);
        findings.costs = known;
        return std::move(findings);
    }
    const int self = all_ranks.rank;
    const Survey survey(self == 0 && own.shares_any());
    if (survey.course()) {
        own.course = node::segment().offset(survey.course());
        own.run = survey.run();
    }
    exchange(all_ranks, own, all);
    for (const Entry& entry : all) {
        findings.fingerprints.push_back(entry.fingerprints);
        findings.tag_limit = std::min(findings.tag_limit, entry.tag_limit);
    }
    exchange(all_ranks, look(all, self, survey, places), outcomes);
    findings.costs = costs_ = outcomes[0].costs;
    if (self == 0 || all[0].shares_memory(all[static_cast<std::size_t>(self)]))
        Survey::learn(costs_);
    settle(outcomes);
    report(all, self);
    if (self == 0 && costs_.is_measured) tell(costs_);
    if (table_) connect(outcomes, self, places);
    return std::move(findings);
}

// The others wait for it: without memory for this there are no mates, but an answer.
Mates::Outcome Mates::look(const std::vector<Entry>& all, int self, const Survey& survey,
                           Places& places) try {
    Outcome outcome;
    number_nodes(all, places);
    outcome.is_mapped = map(all, self);
    outcome.costs = measure(all, self, survey);
    offer(outcome);
    return outcome;
} catch (const std::bad_alloc&) {
    return {};
}

Mates::Entry Mates::own_entry() {
    Entry own;
    own.fingerprints = Fingerprints::own();
    own.part = part_of_node();
    if (own.part < 0) return own;
    own.ticket = node::segment().ticket();
    if (node::Bell* bell = bell_to_sleep_at()) own.bell = node::segment().offset(bell);
    return own;
}

// The first rank measures, with the next of its node.
node::Costs Mates::measure(const std::vector<Entry>& all, int self, const Survey& survey) const {
    const auto second = static_cast<std::size_t>(
        std::find_if(all.begin() + 1, all.end(),
                     [&](const Entry& e) { return e.shares_memory(all[0]); }) -
        all.begin());
    const bool has_course = all[0].course != Entry::nowhere && second < all.size();
    if (self == 0) return has_course && mates_[second].peer ? survey.lead() : Survey::known();
    if (has_course && self == static_cast<int>(second) && mates_[0].peer)
        reinterpret_cast<node::Course*>(mates_[0].peer->at(all[0].course))
            ->follow(all[0].run, mates_[0].peer->at(0), all[0].ticket.process,
                     base::settings().MPIX_CMA != false);
    return {};
}

void Mates::offer(Outcome& outcome) {
    const auto mates = static_cast<std::size_t>(
        std::count_if(mates_.begin(), mates_.end(), [](const Mate& m) { return m.peer; }));
    if (outcome.is_mapped && mates > 0) {
        table_ = node::new_block((mates + 1) * sizeof(Introduction), mates);
        outcome.is_mapped = table_ != nullptr;
        if (table_) outcome.table = node::segment().offset(table_);
        for (std::size_t place = 0; table_ && place <= mates; ++place)
            new (&introductions(table_)[place]) Introduction;
    }
    outcome.can_read = base::settings().MPIX_CMA != false &&
                       std::all_of(mates_.begin(), mates_.end(),
                                   [](const Mate& m) { return !m.peer || m.peer->is_readable(); });
    everyone_ = mates + 1 == mates_.size();
}

void Mates::settle(const std::vector<Outcome>& outcomes) {
    const auto every = [&](auto member) {
        return std::all_of(outcomes.begin(), outcomes.end(),
                           [&](const Outcome& o) { return o.*member; });
    };
    is_mapped_ = every(&Outcome::is_mapped);
    can_read_ = is_mapped_ && every(&Outcome::can_read);
    if (is_mapped_) return;
    if (table_) node::segment().free(reinterpret_cast<std::byte*>(table_));
    table_ = nullptr;
    everyone_ = false;
    for (Mate& mate : mates_) mate = {};
    for (std::size_t r = 0; r < nodes_.size(); ++r) nodes_[r] = static_cast<int>(r);
}

void Mates::number_nodes(const std::vector<Entry>& all, Places& places) {
    struct Node {
        int number;
        std::uint32_t ranks;
    };
    std::map<decltype(all[0].home()), Node> found;
    int nodes = 0;
    for (std::size_t r = 0; r < all.size(); ++r) {
        if (!all[r].shares_any()) {
            nodes_[r] = nodes++;
            continue;
        }
        const auto [at, is_new] = found.try_emplace(all[r].home(), Node{nodes, 0});
        nodes += is_new;
        nodes_[r] = at->second.number;
        places[r] = at->second.ranks++;
    }
}

// True if everyone on this node is there.
bool Mates::map(const std::vector<Entry>& all, int self) {
    const Entry& own = all[static_cast<std::size_t>(self)];
    bool is_complete = true;
    for (std::size_t r = 0; r < all.size(); ++r) {
        if (static_cast<int>(r) == self || !own.shares_memory(all[r])) continue;
        mates_[r].peer = node::find_peer(all[r].ticket);
        if (!mates_[r].peer)
            is_complete = false;
        else if (all[r].bell != Entry::nowhere)
            mates_[r].bell = reinterpret_cast<node::Bell*>(mates_[r].peer->at(all[r].bell));
    }
    return is_complete;
}

// In each rank's table there is an introduction to every rank of the node.
void Mates::connect(const std::vector<Outcome>& outcomes, int self, const Places& places) {
    for (std::size_t r = 0; r < mates_.size(); ++r) {
        Mate& mate = mates_[r];
        if (!mate.peer) continue;
        mate.table = reinterpret_cast<node::Block*>(mate.peer->at(outcomes[r].table));
        mate.to = &introductions(table_)[places[r]];
        mate.from = &introductions(mate.table)[places[static_cast<std::size_t>(self)]];
    }
}

// Says once what cannot be had, if the program has not been asked to do without.
void Mates::report(const std::vector<Entry>& all, int self) const noexcept try {
    static std::atomic_flag is_said{};
    const auto without = std::find_if(all.begin(), all.end(), [](const Entry& e) {
        return e.part >= 0 && e.ticket.reserved == 0;
    });
    if (without - all.begin() == self || (!is_mapped_ && self == 0))
        return report_no_memory(); // one speaks for all
    const bool has_all = !is_mapped_ || can_read_ || base::settings().MPIX_CMA == false;
    if (self != 0 || has_all || base::settings().MPIX_VERBOSE.empty() || is_said.test_and_set())
        return;
    std::fputs("mpix: not every rank may read the others' memory, large messages are staged in "
               "shared memory\n",
               stderr);
} catch (const std::bad_alloc&) { // it is not said
}

Mates::~Mates() {
    for (Mate& mate : mates_)
        if (mate.table) node::leave(*mate.table);
    if (table_) node::retire(table_);
}

void Mates::introduce(int rank, std::uint64_t plan, Introduction::Kind kind, std::uint64_t block) {
    Introduction& to = *mate(rank).to;
    to.kind = kind;
    to.block = block;
    to.plan.store(plan, std::memory_order_release);
    if (node::Bell* bell = mate(rank).bell) bell->ring();
}

const Introduction& Mates::meet(int rank, std::uint64_t plan) const {
    const Introduction& from = *mate(rank).from;
    wait_until([&] { return from.plan.load(std::memory_order_acquire) >= plan; });
    return from;
}

void Mates::give_up(std::uint64_t plan) {
    for (std::size_t r = 0; r < mates_.size(); ++r)
        if (mates_[r].to && mates_[r].to->plan.load(std::memory_order_relaxed) < plan)
            introduce(static_cast<int>(r), plan, Introduction::failed);
}

} // namespace mpix::run
