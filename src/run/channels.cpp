// SPDX-License-Identifier: BSD-3-Clause
//
// Making the edges, and telling the others of them.
#include "run/channels.hpp"

#include "run/context.hpp"
#include "run/failure.hpp"
#include "run/ways.hpp"

#include <algorithm>
#include <new>
#include <string>

namespace mpix::run {

using node::Design;
using plan::Action;
using plan::Step;
using plan::StepId;

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
    const Traits traits(plan_);
    std::vector<Design> designs;
    std::uint64_t size = traffic.sends.size() * sizeof(Design);
    for (const StepId id : traffic.sends) {
        const Step& step = plan_.steps[static_cast<std::size_t>(id)];
        Design& design = designs.emplace_back(design_of(static_cast<std::uint64_t>(step.bytes),
                                                        source(step), !traffic.receives.empty(),
                                                        traits, mates.can_read(), mates.costs()));
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
