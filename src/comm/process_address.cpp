// SPDX-License-Identifier: BSD-3-Clause
//
// This process's address, and the way to the process of another.
#include "comm/process_address.hpp"
#include "comm/spot.hpp"

#include "base/settings.hpp"
#include "comm/node_peers.hpp"
#include "progress/backoff.hpp"
#include "shmem/block.hpp"

namespace mpix::comm {

ProcessAddress ProcessAddress::own(bool over_host) {
    ProcessAddress address;
    address.part = over_host ? -1 : part_of_node();
    if (address.part < 0) return address;
    address.ticket = shmem::segment().ticket();
    if (shmem::Doorbell* doorbell = progress::doorbell_to_sleep_at())
        address.doorbell = shmem::segment().offset(doorbell);
    return address;
}

bool find_connection(const ProcessAddress& theirs, std::int64_t own_part,
                     progress::Links::Connection& connection) {
    const shmem::Ticket& own = shmem::segment().ticket();
    const bool is_near = theirs.part >= 0 && theirs.part == own_part && own.reserved > 0 &&
                         theirs.ticket.reserved > 0 && theirs.ticket.machine == own.machine &&
                         theirs.ticket.processes == own.processes;
    if (!is_near) return false;
    if (theirs.ticket == own) return true;
    connection.peer = shmem::find_peer(theirs.ticket);
    if (!connection.peer) return false;
    connection.can_read = base::settings().MPIX_CMA != false && connection.peer->is_readable();
    if (theirs.doorbell != ProcessAddress::nowhere)
        connection.doorbell =
            reinterpret_cast<shmem::Doorbell*>(connection.peer->at(theirs.doorbell));
    return true;
}

void abandon(const ProcessAddress& owner, std::uint64_t block) {
    if (block == ProcessAddress::nowhere) return;
    const bool is_own = owner.ticket == shmem::segment().ticket();
    const auto peer = is_own ? nullptr : shmem::find_peer(owner.ticket);
    std::byte* const memory = is_own ? shmem::segment().memory() : peer ? peer->at(0) : nullptr;
    if (!memory) return;
    auto* const offered = reinterpret_cast<shmem::Block*>(memory + block);
    const auto* const design = reinterpret_cast<const shmem::Design*>(offered->data());
    if (design->lines != 0) shmem::leave(*reinterpret_cast<shmem::Block*>(memory + design->lines));
    shmem::leave(*offered);
}

} // namespace mpix::comm
