// SPDX-License-Identifier: BSD-3-Clause
//
// Copying, by the host.
#include "automatic/data.hpp"

#include "host/device_memory.hpp"
#include "host/failure.hpp"
#include "host/host.hpp"

#include <optional>

namespace mpix::automatic {
namespace {

// Open MPI packs nothing of a null buffer, and unpacks nothing behind the last byte.
template<class Each>
void each_run(const Region& region, Each each) {
    if (region.blocks == 0) return region.count > 0 ? each(region.buffer, region.count) : void();
    MPI_Aint lb = 0, extent = 0;
    HOST(Type_get_extent)(region.type, &lb, &extent);
    for (std::size_t i = 0; i < region.blocks; ++i)
        if (region.counts[i] > 0)
            each(region.buffer + region.displacements[i] * extent, region.counts[i]);
}

void gather_to(std::byte* to, const Region& region) {
    int position = 0;
    each_run(region, [&](const std::byte* from, std::int64_t count) {
        host::check(HOST(Pack)(from, static_cast<int>(count), region.type, to,
                               static_cast<int>(region.bytes), &position, host::self()));
    });
}

void scatter_from(const std::byte* from, const Region& region) {
    int position = 0;
    each_run(region, [&](std::byte* to, std::int64_t count) {
        host::check(HOST(Unpack)(from, static_cast<int>(region.bytes), &position, to,
                                 static_cast<int>(count), region.type, host::self()));
    });
}

std::byte* room_in(std::vector<std::byte>& memory, std::int64_t bytes) {
    if (static_cast<std::int64_t>(memory.size()) < bytes)
        memory.resize(static_cast<std::size_t>(bytes));
    return memory.data();
}

// The host's Pack reaches the memory of a device.
bool needs_copy(const Region& region, const std::optional<std::byte*>& before) {
    return !region.is_dense ||
           (before && *before != region.buffer && host::is_device_memory(region.buffer));
}

} // namespace

Data::Data(const Invocation& call, const progress::Places& before, Copies& copies)
    : call_(call), is_sent_copied_(call.send.is_there &&
                                   (call.sends_copy || needs_copy(call.send, before.send))),
      is_received_copied_(call.recv.is_there &&
                          (call.drops_received || needs_copy(call.recv, before.recv))) {
    if (call.send.is_there)
        places_.send = is_sent_copied_ ? room_in(copies.send, call.send.bytes) : call.send.buffer;
    if (call.recv.is_there)
        places_.recv =
            is_received_copied_ ? room_in(copies.recv, call.recv.bytes) : call.recv.buffer;
}

void Data::prepare() const {
    if (is_sent_copied_) gather_to(*places_.send, call_.send);
    if (is_received_copied_ && call_.keeps_received) gather_to(*places_.recv, call_.recv);
}

void Data::conclude() const {
    if (is_received_copied_ && !call_.drops_received) scatter_from(*places_.recv, call_.recv);
}

} // namespace mpix::automatic
