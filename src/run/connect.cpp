// SPDX-License-Identifier: BSD-3-Clause
//
// Introducing, and meeting.
#include "run/connect.hpp"

#include "host/failure.hpp"
#include "run/context.hpp"

#include <vector>

namespace mpix::run {

using plan::Action;
using plan::Step;
using plan::StepId;

namespace {

using Traffic = Channels::Traffic;

std::vector<Traffic> traffic_of(const Context& context, const plan::Plan& plan) {
    std::vector<Traffic> traffic;
    std::vector<int> traffic_with(static_cast<std::size_t>(context.ranks_of_all), -1);
    for (std::size_t id = 0; id < plan.steps.size(); ++id) {
        const Step& step = plan.steps[id];
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

void meet(const Context& context, const Traffic& traffic, Channels& channels) {
    const Introduction& met = context.mates().meet(traffic.rank, context.plan());
    if (met.kind == Introduction::failed)
        throw host::Failure{host::error_code(MPI_ERR_OTHER, context.name_of(traffic.rank) +
                                                                " could not make its plan")};
    if (met.kind != Introduction::by_node) return;
    const node::Peer& peer = *context.mates().peer(traffic.rank);
    channels.accept(peer.at(0), peer.ticket().process, traffic, met.block);
}

} // namespace

std::unique_ptr<Channels> connect(Context& context, const plan::Plan& plan, bool is_wanted,
                                  const Channels::Source& source) {
    Mates& mates = context.mates();
    auto channels = std::make_unique<Channels>(plan);
    const std::vector<Traffic> traffic = traffic_of(context, plan);
    for (const Traffic& with : traffic)
        if (node::Bell* bell = mates.bell(with.rank)) channels->add_bell(bell);
    channels->reserve(traffic);
    for (const Traffic& with : traffic) {
        if (with.sends.empty()) continue;
        if (is_wanted && channels->offer(with, source, mates.can_read(), mates.costs()))
            mates.introduce(with.rank, context.plan(), Introduction::by_node, channels->block());
        else
            mates.introduce(with.rank, context.plan(), Introduction::by_host);
    }
    for (const Traffic& with : traffic)
        if (!with.receives.empty()) meet(context, with, *channels);
    channels->count_host_messages();
    return channels;
}

} // namespace mpix::run
