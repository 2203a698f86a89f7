// SPDX-License-Identifier: BSD-3-Clause
//
// Introducing, and meeting.
#include "comm/connect.hpp"

#include "comm/context.hpp"
#include "host/failure.hpp"
#include "progress/backoff.hpp"

#include <boost/container/flat_map.hpp>

#include <vector>

namespace mpix::comm {

using plan::Action;
using plan::Step;
using plan::StepId;

namespace {

using Traffic = progress::Links::Traffic;

std::vector<Traffic> traffic_of(const Context& context, const plan::Plan& plan) {
    std::vector<Traffic> traffic;
    boost::container::flat_map<int, std::size_t> places;
    for (std::size_t id = 0; id < plan.steps.size(); ++id) {
        const Step& step = plan.steps[id];
        if (step.peer < 0 || !context.node_peers().peer(step.peer)) continue;
        const auto [found, is_new] = places.try_emplace(step.peer, traffic.size());
        if (is_new) traffic.push_back({step.peer, {}, {}});
        Traffic& with = traffic[found->second];
        auto& messages = step.action == Action::send ? with.sends : with.receives;
        messages.push_back(static_cast<StepId>(id));
    }
    return traffic;
}

void meet(const Context& context, const Traffic& traffic, progress::Links& links) {
    const Introduction& met = context.node_peers().meet(traffic.rank, context.plan());
    if (met.kind == Introduction::failed)
        throw host::Failure{host::error_code(MPI_ERR_OTHER, context.name_of(traffic.rank) +
                                                                " could not make its plan")};
    if (met.kind != Introduction::by_node) return;
    const shmem::Peer& peer = *context.node_peers().peer(traffic.rank);
    links.accept(peer.at(0), peer.ticket().process, traffic, met.block);
}

} // namespace

std::unique_ptr<progress::Links> connect(Context& context, const plan::Plan& plan, bool is_wanted,
                                         const progress::Links::Source& source) {
    NodePeers& peers = context.node_peers();
    auto links = std::make_unique<progress::Links>(plan);
    const std::vector<Traffic> traffic = traffic_of(context, plan);
    // To ring costs a fence.
    const bool is_slept_for = is_wanted && plan.is_mutual && plan.leaves_node;
    for (const Traffic& with : traffic) {
        shmem::Doorbell* const doorbell = peers.doorbell(with.rank);
        if (doorbell && (is_slept_for || progress::doorbell_to_sleep_at()))
            links->add_doorbell(doorbell);
    }
    links->reserve(traffic);
    for (const Traffic& with : traffic) {
        if (with.sends.empty()) continue;
        if (is_wanted && links->offer(with, source, peers.can_read(), peers.costs()))
            peers.introduce(with.rank, context.plan(), Introduction::by_node, links->block());
        else
            peers.introduce(with.rank, context.plan(), Introduction::by_host);
    }
    for (const Traffic& with : traffic)
        if (!with.receives.empty()) meet(context, with, *links);
    links->count_host_messages();
    return links;
}

} // namespace mpix::comm
