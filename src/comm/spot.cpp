// SPDX-License-Identifier: BSD-3-Clause
//
// Asking hwloc for what is around the cores that this process may run on.
#include "comm/spot.hpp"

#include "base/cores.hpp"
#include "base/settings.hpp"
#include "host/host.hpp"
#include "plan/topology.hpp"
#include "progress/backoff.hpp"

#include <hwloc.h>

#include <cstdio>
#include <memory>
#include <optional>
#include <stdexcept>

namespace mpix::comm {
namespace {

using plan::Locality;
using plan::Topology;

std::optional<Topology> read_topology() {
    const std::string& text = base::settings().MPIX_TOPOLOGY;
    if (text.empty()) return std::nullopt;
    try {
        return Topology::parse(text);
    } catch (const std::invalid_argument& error) {
        if (host::rank_on_node() == 0)
            std::fprintf(stderr, "mpix: MPIX_TOPOLOGY is ignored: %s\n", error.what());
        return std::nullopt;
    }
}

// That the variable tells of.
const std::optional<Topology>& topology() {
    static const std::optional<Topology> read = read_topology();
    return read;
}

// The core on which this process is said to be.
int told_core() { return host::rank_on_node() % topology()->cores(); }

using Machine = std::unique_ptr<hwloc_topology, decltype(&hwloc_topology_destroy)>;

// Its packages, memories and last caches, and nothing that takes long to find.
Machine load_machine() {
    hwloc_topology_t made = nullptr;
    if (hwloc_topology_init(&made) != 0) return {nullptr, hwloc_topology_destroy};
    Machine machine(made, hwloc_topology_destroy);
    hwloc_topology_set_all_types_filter(made, HWLOC_TYPE_FILTER_KEEP_NONE);
    for (const hwloc_obj_type_t type : {HWLOC_OBJ_PACKAGE, HWLOC_OBJ_L3CACHE})
        hwloc_topology_set_type_filter(made, type, HWLOC_TYPE_FILTER_KEEP_ALL);
    hwloc_topology_set_flags(made, HWLOC_TOPOLOGY_FLAG_NO_DISTANCES |
                                       HWLOC_TOPOLOGY_FLAG_NO_MEMATTRS |
                                       HWLOC_TOPOLOGY_FLAG_NO_CPUKINDS);
    if (hwloc_topology_load(made) != 0) machine.reset();
    return machine;
}

// The number, from 1, of the object of that type that has all those cores; 0 if there is none.
std::uint32_t number_around(hwloc_topology_t machine, hwloc_obj_type_t type,
                            hwloc_const_bitmap_t cores) {
    for (hwloc_obj_t object = nullptr;
         (object = hwloc_get_next_obj_by_type(machine, type, object));)
        if (hwloc_bitmap_isincluded(cores, object->cpuset)) return object->logical_index + 1;
    return 0;
}

// A socket may have several memories, and a memory several sockets: the smaller counts.
Spot find_spot() {
    const Machine machine = load_machine();
    const std::unique_ptr<hwloc_bitmap_s, decltype(&hwloc_bitmap_free)> cores(hwloc_bitmap_alloc(),
                                                                              hwloc_bitmap_free);
    if (!machine || !cores ||
        hwloc_get_cpubind(machine.get(), cores.get(), HWLOC_CPUBIND_PROCESS) != 0)
        return {};
    constexpr std::uint32_t most = 1 << 16;
    const std::uint32_t socket = number_around(machine.get(), HWLOC_OBJ_PACKAGE, cores.get()),
                        memory = number_around(machine.get(), HWLOC_OBJ_NUMANODE, cores.get());
    return {socket * most + memory, number_around(machine.get(), HWLOC_OBJ_L3CACHE, cores.get())};
}

Spot told_spot() {
    const auto number = [](Locality locality) {
        return static_cast<std::uint32_t>(topology()->of(locality, told_core())) + 1;
    };
    return {number(Locality::socket), number(Locality::cache)};
}

} // namespace

// Who may run on all cores is nowhere, and ranks that take turns wait for each other's turns, which
// are longer than any way.
Spot own_spot() {
    static const Spot found = [] {
        if (topology()) return told_spot();
        const bool is_bound = base::own_cores() < progress::cores();
        return is_bound && !progress::is_crowded() ? find_spot() : Spot();
    }();
    return found;
}

std::int64_t part_of_node() {
    if (base::settings().MPIX_TRANSPORT == "host") return -1;
    if (topology()) return topology()->of(Locality::node, told_core());
    const int size = base::settings().MPIX_NODE_SIZE;
    return size > 0 ? host::rank_on_node() / size : 0;
}

} // namespace mpix::comm
