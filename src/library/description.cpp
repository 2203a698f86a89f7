// SPDX-License-Identifier: BSD-3-Clause
//
// The text of MPIX_Describe, made of the tables that the library itself works by. It asks no
// other rank.
#include "library/description.hpp"

#include "base/settings.hpp"
#include "comm/calibration.hpp"
#include "comm/network.hpp"
#include "comm/spot.hpp"
#include "host/host.hpp"
#include "kernel/combine.hpp"
#include "library/info_keys.hpp"
#include "plan/solver.hpp"
#include "progress/backoff.hpp"
#include "shmem/probe.hpp"
#include "shmem/segment.hpp"

#include <algorithm>
#include <climits>
#include <cstdio>
#include <map>
#include <mutex>
#include <new>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace mpix::library {
namespace {

using Text = std::string;

Text host_version() {
    Text first = host::library_version();
    first.resize(std::min(first.find('\n'), first.size()));
    std::replace(first.begin(), first.end(), '\t', ' ');
    return first;
}

bool is_within_mpi() {
    int has_begun = 0, has_ended = 0;
    HOST(Initialized)(&has_begun);
    HOST(Finalized)(&has_ended);
    return has_begun && !has_ended;
}

Text device() {
    const Text found = is_within_mpi() ? host::here().device() : "";
    return found.empty() ? "not known" : found;
}

Text abi() {
    int major = 0, minor = 0;
    if (!host::standard_abi(&major, &minor)) return "the host's own";
    return "the standard's, version " + std::to_string(major) + "." + std::to_string(minor);
}

Text shared_segment() {
    if (base::settings().MPIX_TRANSPORT == "host") return "not used: MPIX_TRANSPORT=host";
    if (shmem::segment().is_there()) return "yes";
    return "no: " + shmem::segment().complaint();
}

Text reading() {
    if (base::settings().MPIX_CMA == false) return "not used: MPIX_CMA=0";
    const std::optional<bool> may_read = shmem::probe_reading();
    if (!may_read) return "not known: no process could be asked";
    return *may_read ? "yes" : "no: the kernel refuses";
}

Text progress_hook() {
    const char* const name = host::here().progress_hook();
    if (!name) return "none: plans move in calls that complete them";
    if (!is_within_mpi()) return name;
    const bool may_call = host::here().hook_may_call();
    return Text(name) + (may_call ? ", may call the host" : ", may only wake a thread");
}

Text thread_level() {
    if (!is_within_mpi()) return "not known outside MPI_Init and MPI_Finalize";
    int level = MPI_THREAD_SINGLE;
    HOST(Query_thread)(&level);
    switch (level) {
    case MPI_THREAD_MULTIPLE: return "MPI_THREAD_MULTIPLE";
    case MPI_THREAD_SERIALIZED: return "MPI_THREAD_SERIALIZED";
    case MPI_THREAD_FUNNELED: return "MPI_THREAD_FUNNELED";
    default: return "MPI_THREAD_SINGLE";
    }
}

Text kernels() {
    switch (kernel::best_level()) {
    case kernel::Level::v2: return "x86-64-v2";
    case kernel::Level::v3: return "x86-64-v3";
    case kernel::Level::v4: return "x86-64-v4";
    case kernel::Level::base: break;
    }
    return "base";
}

Text cores_of_node() {
    const int ranks = host::ranks_on_node();
    const Text shared =
        std::to_string(progress::cores()) + (progress::cores() == 1 ? " core" : " cores");
    if (ranks == 0) return shared + ", ranks not known";
    return shared + " for " + std::to_string(ranks) + (ranks == 1 ? " rank" : " ranks");
}

Text waiting() {
    using progress::Backoff;
    if (Backoff::spins() == INT_MAX) return "spins";
    const Text how = Backoff::spins() == 1 ? "yields" : "spins, then yields";
    if (base::settings().MPIX_WAIT == "park") return how + ", then sleeps until it is woken";
    const bool naps = progress::is_crowded() && progress::yields_in_vain();
    return naps ? how + ", then sleeps, as each rank is a session of its own" : how;
}

Text line(Text title, std::size_t indent, const Text& what) {
    title.resize(indent, ' ');
    return "  " + title + what + '\n';
}

Text capabilities() {
    constexpr std::size_t indent = 27;
    return "\nCapabilities\n" + line("ABI", indent, abi()) +
           line("messages of the host", indent, device()) +
           line("shared segment", indent, shared_segment()) +
           line("memory of other processes", indent, reading()) +
           line("progress hook", indent, progress_hook()) +
           line("thread level", indent, thread_level()) +
           line("this node", indent, cores_of_node()) +
           line("a rank that waits", indent, waiting()) + line("kernels", indent, kernels());
}

Text link(double latency, double per_byte) {
    char text[64];
    std::snprintf(text, sizeof text, "%.2f us, %.1f GB/s", latency, 1e-3 / per_byte);
    return text;
}

Text near(const shmem::NearCosts& costs) {
    return costs.latency > 0 ? link(costs.latency, costs.per_byte) : Text("not measured");
}

Text spot() {
    const comm::Spot spot = comm::own_spot();
    if (!base::settings().MPIX_TOPOLOGY.empty()) return "as MPIX_TOPOLOGY says";
    if (spot == comm::Spot()) return "bound to no part of the node, or ranks outnumber cores";
    return "bound within a socket" + Text(spot.cache != 0 ? ", at one cache" : "");
}

// What this process has learnt so far.
Text messages() {
    constexpr std::size_t indent = 27;
    const shmem::Costs costs = comm::Calibration::known();
    const comm::NetworkCosts network = comm::known_network();
    Text between = "not measured";
    if (network.is_there) {
        between = link(network.latency, network.per_byte);
        char more[128];
        std::snprintf(more, sizeof more,
                      ", %.2f us to post, %.2f us to take, %.2f us more from %.0f bytes on",
                      network.overhead, network.taking, network.rendezvous, network.eager);
        between += more;
    }
    return "\nMessages\n" + line("this process", indent, spot()) +
           line("at one cache", indent, near(costs.cache)) +
           line("within a socket", indent, near(costs.socket)) +
           line("within the node", indent, near(costs.node)) +
           line("between nodes", indent, between);
}

Text variables() {
    Text all = "\nEnvironment variables\n";
    for (const base::DescribedSetting& setting : base::describe_settings()) {
        all += Text("  ") + setting.name + "  " + setting.type + ", default " + setting.preset +
               ", is " + setting.value;
        if (!setting.wanted.empty())
            all += "; " + setting.ignored + " is ignored: it must be " + setting.wanted;
        all += Text("\n      ") + setting.help + "\n";
    }
    return all;
}

Text info_keys() {
    Text all = "\nInfo keys of an init\n";
    for (const DescribedKey& key : describe_keys())
        all += Text("  ") + key.key + "  " + key.words + ", default " + key.preset + "\n      " +
               key.help + "\n";
    return all;
}

// Words side by side, in lines that begin alike.
Text wrapped(const std::vector<std::string_view>& words, std::size_t indent) {
    constexpr std::size_t width = 98;
    Text all;
    std::size_t column = indent;
    for (const std::string_view word : words) {
        const bool is_first = all.empty(), fits = column + 1 + word.size() <= width;
        if (!is_first) all += fits ? Text(" ") : '\n' + Text(indent + 2, ' ');
        column = (fits ? column + !is_first : indent) + word.size();
        all += word;
    }
    return all;
}

Text solvers() {
    std::map<plan::Kind, std::vector<std::string_view>> by_kind;
    for (const plan::Solver* solver : plan::catalogue())
        by_kind[solver->kind].push_back(solver->name);
    constexpr std::size_t indent = 16;
    Text all = "\nSolvers\n";
    for (const auto& [kind, names] : by_kind)
        all += line(Text(plan::name(kind)), indent, wrapped(names, indent));
    return all;
}

} // namespace

const char* describe(const char* version) noexcept try {
    static std::mutex mutex;
    static auto& texts = *new std::set<Text>; // one more only where something has changed
    Text made = Text("mpix ") + version + "\nhost: " + host_version() + "\n" + capabilities() +
                messages() + variables() + info_keys() + solvers();
    const std::lock_guard lock(mutex);
    return texts.insert(std::move(made)).first->c_str();
} catch (const std::bad_alloc&) {
    return nullptr;
}

} // namespace mpix::library
