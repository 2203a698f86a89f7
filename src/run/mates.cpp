// SPDX-License-Identifier: BSD-3-Clause
//
// Finding each other: tickets are exchanged over the host, then each maps what it can, and then all
// agree on whether everyone could.
#include "run/mates.hpp"

#include "host/host.hpp"
#include "run/context.hpp"
#include "run/failure.hpp"
#include "run/settings.hpp"
#include "run/waiting.hpp"

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstring>

namespace mpix::run {
namespace {

constexpr node::Design introductions{.bytes = sizeof(Introduction),
                                     .chunk = sizeof(Introduction),
                                     .slots = 4,
                                     .acknowledge_every = 1};

template<class Value>
std::vector<Value> gather(const Context& context, const Value& own) {
    std::vector<Value> all(static_cast<std::size_t>(context.ranks_of_all));
    MPI_Request request = MPI_REQUEST_NULL;
    check(HOST(Iallgather)(&own, sizeof own, MPI_BYTE, all.data(), sizeof own, MPI_BYTE,
                           context.everyone(), &request));
    check(wait_for(request));
    return all;
}

} // namespace

// A ticket, and what only MPIX_NODE_SIZE and MPIX_TRANSPORT know.
struct Mates::Entry {
    node::Ticket ticket;
    std::int64_t part = 0; // of the node; -1: alone

    bool shares_memory(const Entry& other) const {
        return part >= 0 && part == other.part && ticket.reserved && other.ticket.reserved &&
               ticket.machine == other.ticket.machine && ticket.processes == other.ticket.processes;
    }
};

void Mates::find(const Context& context) {
    const auto ranks = static_cast<std::size_t>(context.ranks_of_all);
    mates_.resize(ranks);
    nodes_.resize(ranks);
    if (ranks == 1) return;
    const bool is_wanted = settings().MPIX_TRANSPORT != "host";
    Entry own;
    if (is_wanted) own.ticket = node::segment().ticket();
    const int size = settings().MPIX_NODE_SIZE;
    own.part = !is_wanted ? -1 : size > 0 ? host::rank_on_node() / size : 0;
    const std::vector<Entry> all = gather(context, own);
    const int self = context.rank_of_all;
    const auto without = std::find_if(all.begin(), all.end(), [](const Entry& e) {
        return e.part >= 0 && e.ticket.reserved == 0;
    });
    if (without - all.begin() == self) report_no_memory(); // one speaks for all
    struct Outcome {
        std::uint64_t table, is_mapped, can_read;
    } outcome{};
    outcome.is_mapped = map(all, self);
    const auto mates = static_cast<std::size_t>(
        std::count_if(mates_.begin(), mates_.end(), [](const Mate& m) { return m.peer; }));
    if (outcome.is_mapped && mates > 0) {
        table_ = node::new_block(ranks * introductions.size(), mates);
        outcome.is_mapped = table_ != nullptr;
        if (table_) outcome.table = node::segment().offset(table_);
    }
    outcome.can_read = settings().MPIX_CMA != false &&
                       std::all_of(mates_.begin(), mates_.end(),
                                   [](const Mate& m) { return !m.peer || m.peer->is_readable(); });
    const std::vector<Outcome> outcomes = gather(context, outcome);
    const auto every = [&](auto member) {
        return std::all_of(outcomes.begin(), outcomes.end(),
                           [&](const Outcome& o) { return o.*member; });
    };
    const bool is_mapped = every(&Outcome::is_mapped);
    if (!is_mapped) {
        if (self == 0) report_no_memory();
        if (table_) node::segment().free(reinterpret_cast<std::byte*>(table_));
        table_ = nullptr;
        for (Mate& mate : mates_) mate.peer = nullptr;
        for (std::size_t r = 0; r < ranks; ++r) nodes_[r] = static_cast<int>(r);
        return;
    }
    can_read_ = every(&Outcome::can_read);
    everyone_ = mates + 1 == ranks;
    std::vector<std::uint64_t> tables;
    for (const Outcome& o : outcomes) tables.push_back(o.table);
    connect(tables, self);
}

// True if everyone on this node is there.
bool Mates::map(const std::vector<Entry>& all, int self) {
    const Entry& own = all[static_cast<std::size_t>(self)];
    bool is_complete = true;
    int nodes = 0;
    for (std::size_t r = 0; r < all.size(); ++r) {
        const auto first = static_cast<std::size_t>(
            std::find_if(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(r),
                         [&](const Entry& e) { return e.shares_memory(all[r]); }) -
            all.begin());
        nodes_[r] = first < r ? nodes_[first] : nodes++;
        if (static_cast<int>(r) == self || !own.shares_memory(all[r])) continue;
        mates_[r].peer = node::find_peer(all[r].ticket);
        is_complete = is_complete && mates_[r].peer;
    }
    return is_complete;
}

// In each rank's table there is an edge to every rank.
void Mates::connect(const std::vector<std::uint64_t>& tables, int self) {
    const auto at = [&](std::size_t from, std::size_t to) {
        node::Design design = introductions;
        design.slots_at = tables[from] + sizeof(node::Block) + to * introductions.size();
        return design;
    };
    const auto me = static_cast<std::size_t>(self);
    for (std::size_t r = 0; r < mates_.size(); ++r) {
        Mate& mate = mates_[r];
        if (!mate.peer) continue;
        mate.table = reinterpret_cast<node::Block*>(mate.peer->at(tables[r]));
        mate.out.emplace(at(me, r), node::segment().memory());
        mate.in.emplace(at(r, me), mate.peer->at(0), mate.peer->ticket().process);
    }
}

void report_no_memory() {
    static std::atomic_flag is_reported{};
    if (settings().MPIX_VERBOSE.empty() || is_reported.test_and_set()) return;
    const std::string why = node::segment().complaint();
    std::fprintf(stderr, "mpix: no shared memory, messages go over the host%s%s\n",
                 why.empty() ? "" : ": ", why.c_str());
}

Mates::~Mates() {
    for (Mate& mate : mates_)
        if (mate.table) node::leave(*mate.table);
    if (table_) node::retire(table_);
}

void Mates::introduce(int rank, const Introduction& introduction) {
    node::Outgoing& out = *mate(rank).out;
    out.begin(reinterpret_cast<const std::byte*>(&introduction));
    wait_until([&] { return out.proceed(); });
}

// Plans that were given up on the way are passed over.
Introduction Mates::meet(int rank, std::uint64_t plan) {
    node::Incoming& in = *mate(rank).in;
    Introduction found;
    do {
        in.begin();
        wait_until([&] { return in.copy_to(reinterpret_cast<std::byte*>(&found)); });
    } while (found.plan < plan);
    return found;
}

void Mates::give_up(std::uint64_t plan) {
    const Introduction nothing{plan, Introduction::failed, 0};
    for (Mate& mate : mates_) {
        if (!mate.out) continue;
        mate.out->begin(reinterpret_cast<const std::byte*>(&nothing));
        mate.out->proceed();
    }
}

} // namespace mpix::run
