// SPDX-License-Identifier: BSD-3-Clause
//
// This process's card, and the way to the process of another.
#include "run/card.hpp"

#include "base/settings.hpp"
#include "node/block.hpp"
#include "run/mates.hpp"
#include "run/patience.hpp"

namespace mpix::run {

Card Card::own(bool over_host) {
    Card card;
    card.part = over_host ? -1 : part_of_node();
    if (card.part < 0) return card;
    card.ticket = node::segment().ticket();
    if (node::Bell* bell = bell_to_sleep_at()) card.bell = node::segment().offset(bell);
    return card;
}

bool find_link(const Card& theirs, std::int64_t own_part, Channels::Link& link) {
    const node::Ticket& own = node::segment().ticket();
    const bool is_near = theirs.part >= 0 && theirs.part == own_part && own.reserved > 0 &&
                         theirs.ticket.reserved > 0 && theirs.ticket.machine == own.machine &&
                         theirs.ticket.processes == own.processes;
    if (!is_near) return false;
    if (theirs.ticket == own) return true;
    link.peer = node::find_peer(theirs.ticket);
    if (!link.peer) return false;
    link.can_read = base::settings().MPIX_CMA != false && link.peer->is_readable();
    if (theirs.bell != Card::nowhere)
        link.bell = reinterpret_cast<node::Bell*>(link.peer->at(theirs.bell));
    return true;
}

void abandon(const Card& owner, std::uint64_t block) {
    if (block == Card::nowhere) return;
    const bool is_own = owner.ticket == node::segment().ticket();
    const auto peer = is_own ? nullptr : node::find_peer(owner.ticket);
    std::byte* const memory = is_own ? node::segment().memory() : peer ? peer->at(0) : nullptr;
    if (!memory) return;
    auto* const offered = reinterpret_cast<node::Block*>(memory + block);
    const auto* const design = reinterpret_cast<const node::Design*>(offered->data());
    if (design->lines != 0) node::leave(*reinterpret_cast<node::Block*>(memory + design->lines));
    node::leave(*offered);
}

} // namespace mpix::run
