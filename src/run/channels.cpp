// SPDX-License-Identifier: BSD-3-Clause
//
// Designing the edges, and telling the others of them.
#include "run/channels.hpp"

#include "run/context.hpp"
#include "run/failure.hpp"
#include "run/settings.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <new>

namespace mpix::run {

using node::Design;
using node::Way;
using plan::Action;
using plan::Step;
using plan::StepId;

namespace {

// Up to `whole` bytes a message is one chunk; beyond it goes in chunks, so that both ends work at
// once.
constexpr std::uint64_t whole = 8 << 10, chunk = 32 << 10;
// The most that shares lines with others: where two ranks are at one line it goes to and fro.
constexpr std::uint64_t shared = 24;

// How far a sender may run ahead: further where the receiver may have no core for a while.
std::uint16_t slots_of(std::uint64_t bytes, bool is_crowded) {
    if (bytes <= shared) return is_crowded ? 512 : 32;
    if (bytes <= Design::small) return is_crowded ? 128 : 32;
    if (bytes <= whole) return is_crowded ? 64 : 4;
    return is_crowded ? 16 : 4;
}
// The least that is worth another way than through the caches.
constexpr std::uint64_t streamed = 1 << 10, mapped = 2 << 10, read = 32 << 10;

Design staged(std::uint64_t bytes, bool is_answered, bool is_crowded) {
    Design design;
    design.bytes = bytes;
    const std::uint64_t part = bytes <= whole ? bytes : std::min(chunk, bytes);
    const std::uint64_t parts = part ? (bytes + part - 1) / part : 1;
    design.chunk = static_cast<std::uint32_t>(part);
    // An answer in the same round tells that the round before is done: two places do.
    const bool is_free = is_answered && parts == 1;
    if (is_free) {
        design.slots = 2;
        return design;
    }
    design.slots = slots_of(bytes, is_crowded);
    design.shares_lines = bytes <= shared;
    design.acknowledge_every =
        bytes <= Design::small ? static_cast<std::uint8_t>(design.slots / 4) : 1;
    return design;
}

// The receiver takes it where it stands.
Design in_place(std::uint64_t bytes, Way way, std::uint64_t source) {
    Design design;
    design.bytes = bytes;
    design.way = way;
    design.source = source;
    design.slots = 2;
    design.acknowledge_every = 1;
    return design;
}

bool has(const plan::Plan& plan, Action action) {
    return std::any_of(plan.steps.begin(), plan.steps.end(),
                       [&](const Step& step) { return step.action == action; });
}

// How many copies of a staged message a rank makes in turn: who sends and receives has no core to
// spare for the one at the other end.
double copies_in_turn(const plan::Plan& plan) {
    const bool receives = has(plan, Action::recv) || has(plan, Action::combine);
    return has(plan, Action::send) && receives ? 2 : 1;
}

Design design_of(std::uint64_t bytes, const std::byte* source, bool is_answered, double copies,
                 bool combines, const Mates& mates) {
    const node::Costs& costs = mates.costs();
    const double through = costs.cached.of(bytes), past = costs.streamed.of(bytes);
    const double staging = std::min(through, past);
    if (bytes >= mapped && node::segment().contains(source) &&
        costs.mapped.of(bytes) < copies * staging)
        return in_place(bytes, Way::mapped, node::segment().offset(source));
    // What is to be combined is read to a place of its own first.
    if (mates.can_read() && bytes >= read &&
        costs.read.of(bytes) < (combines ? 1 : copies) * staging)
        return in_place(bytes, Way::read, reinterpret_cast<std::uintptr_t>(source));
    Design design = staged(bytes, is_answered, costs.is_crowded);
    design.streams = bytes >= streamed && past < through;
    return design;
}

} // namespace

// The messages with one mate.
struct Channels::Traffic {
    int rank;
    std::vector<StepId> sends;
    std::vector<StepId> receives;
};

std::vector<Channels::Traffic> Channels::traffic_of(const Context& context) const {
    std::vector<Traffic> traffic;
    std::vector<int> traffic_with(static_cast<std::size_t>(context.ranks_of_all), -1);
    for (std::size_t id = 0; id < plan_.steps.size(); ++id) {
        const Step& step = plan_.steps[id];
        if (step.peer < 0 || !context.mates().peer(step.peer)) continue;
        int& at = traffic_with[static_cast<std::size_t>(step.peer)];
        if (at < 0) {
            at = static_cast<int>(traffic.size());
            traffic.push_back({step.peer, {}, {}});
        }
        Traffic& with = traffic[static_cast<std::size_t>(at)];
        auto& messages = step.action == Action::send ? with.sends : with.receives;
        messages.push_back(static_cast<StepId>(id));
    }
    return traffic;
}

Channels::Channels(Context& context, const plan::Plan& plan, bool is_wanted, const Source& source)
    : plan_(plan), edges_(plan.steps.size()) {
    Mates& mates = context.mates();
    const std::vector<Traffic> traffic = traffic_of(context);
    for (const Traffic& with : traffic)
        if (node::Bell* bell = mates.bell(with.rank)) bells_.push_back(bell);
    blocks_.reserve(traffic.size());
    met_.reserve(traffic.size());
    outgoing_.reserve(edges_.size());
    incoming_.reserve(edges_.size());
    try {
        for (const Traffic& with : traffic) {
            if (with.sends.empty()) continue;
            if (is_wanted && offer(mates, with, source))
                mates.introduce(with.rank, context.plan(), Introduction::by_node,
                                node::segment().offset(blocks_.back()));
            else
                mates.introduce(with.rank, context.plan(), Introduction::by_host);
        }
        for (const Traffic& with : traffic)
            if (!with.receives.empty()) meet(context, with);
    } catch (...) {
        retire();
        throw;
    }
    count_host_messages();
}

void Channels::meet(const Context& context, const Traffic& traffic) {
    const Introduction& met = context.mates().meet(traffic.rank, context.plan());
    if (met.kind == Introduction::failed)
        throw Failure{host::error_code(MPI_ERR_OTHER,
                                       context.name_of(traffic.rank) + " could not make its plan")};
    if (met.kind == Introduction::by_node)
        accept(*context.mates().peer(traffic.rank), traffic, met.block);
}

void Channels::count_host_messages() {
    for (std::size_t id = 0; id < edges_.size(); ++id) {
        const Step& step = plan_.steps[id];
        const bool is_message = step.peer >= 0 || step.action == Action::delegate;
        if (is_message && !edges_[id].out && !edges_[id].in) ++transport_.host;
    }
}

// False if there is no memory for it.
bool Channels::offer(Mates& mates, const Traffic& traffic, const Source& source) {
    const double copies = copies_in_turn(plan_);
    const bool combines = has(plan_, Action::combine);
    std::vector<Design> designs;
    std::uint64_t size = traffic.sends.size() * sizeof(Design);
    for (const StepId id : traffic.sends) {
        const Step& step = plan_.steps[static_cast<std::size_t>(id)];
        Design& design =
            designs.emplace_back(design_of(static_cast<std::uint64_t>(step.bytes), source(step),
                                           !traffic.receives.empty(), copies, combines, mates));
        design.slots_at = size;
        size += design.size();
    }
    node::Block* const block = node::new_block(size, 1);
    if (!block) {
        report_no_memory();
        return false;
    }
    blocks_.push_back(block);
    for (std::size_t i = 0; i < designs.size(); ++i) {
        Design& design = designs[i];
        design.slots_at += node::segment().offset(block->data());
        new (block->data() + i * sizeof(Design)) Design(design);
        transport_.add(design);
        outgoing_.emplace_back(design, node::segment().memory());
        edges_[static_cast<std::size_t>(traffic.sends[i])].out = &outgoing_.back();
    }
    return true;
}

void Channels::accept(const node::Peer& peer, const Traffic& traffic, std::uint64_t block) {
    auto* const met = reinterpret_cast<node::Block*>(peer.at(block));
    met_.push_back(met);
    const auto* designs = reinterpret_cast<const Design*>(met->data());
    for (std::size_t i = 0; i < traffic.receives.size(); ++i) {
        const Step& step = plan_.steps[static_cast<std::size_t>(traffic.receives[i])];
        if (designs[i].bytes != static_cast<std::uint64_t>(step.bytes))
            throw Failure{
                host::error_code(MPI_ERR_COUNT, "a message of " + std::to_string(designs[i].bytes) +
                                                    " bytes, where " + std::to_string(step.bytes) +
                                                    " are expected")};
        transport_.add(designs[i]);
        incoming_.emplace_back(designs[i], peer.at(0), peer.ticket().process,
                               step.action == Action::combine);
        edges_[static_cast<std::size_t>(traffic.receives[i])].in = &incoming_.back();
    }
}

void Channels::retire() noexcept {
    for (node::Block* block : met_) node::leave(*block);
    for (node::Block* block : blocks_) node::retire(block);
}

Channels::~Channels() { retire(); }

} // namespace mpix::run
