// SPDX-License-Identifier: BSD-3-Clause
//
// Said only where it is certain.
#include "host/order.hpp"

#include "host/host.hpp"
#include "host/libraries.hpp"
#include "host/symbols.hpp"

#include <algorithm>
#include <cstdlib>
#include <string_view>
#include <utility>

namespace mpix::host {
namespace {

// Of the launchers of both hosts, and of Slurm. MPI itself no longer tells after its end.
bool is_another_rank() {
    for (const char* name : {"PMI_RANK", "PMIX_RANK", "OMPI_COMM_WORLD_RANK"})
        if (const char* rank = std::getenv(name); rank && std::string_view(rank) != "0")
            return true;
    return false;
}

// Which may have its PMPI_ names in another library.
bool is_named_as_host(const Library& library) {
    for (const char* name : {"libmpi.so", "libmpich.so", "libmpi_abi.so"})
        if (library.file_name().starts_with(name)) return true;
    return false;
}

bool is_initialized() {
    auto* const ask = reinterpret_cast<int (*)(int*)>(find("PMPI_Initialized"));
    int flag = 0;
    return ask && ask(&flag) == MPI_SUCCESS && flag;
}

} // namespace

// It wraps one of these, as most tools do, and leaves its PMPI_ name to the host.
std::optional<std::string> tool_behind() {
    const Library host = library_at(find("PMPI_Init"));
    for (const char* name : {"MPI_Init", "MPI_Init_thread", "MPI_Finalize", "MPI_Send", "MPI_Isend",
                             "MPI_Wait", "MPI_Waitall", "MPI_Barrier", "MPI_Bcast", "MPI_Reduce",
                             "MPI_Allreduce", "MPI_Alltoall"}) {
        const Library next = library_at(find(name));
        if (!next.base || next == host || is_named_as_host(next)) continue;
        const std::vector<Library> hosts = that_define("PMPI_Init");
        if (std::find(hosts.begin(), hosts.end(), next) != hosts.end()) continue;
        const std::string own = own_library().path;
        return next.path + " stands behind " + own +
               " and does not see the calls that go to the latter: preload it first, "
               "LD_PRELOAD=\"" +
               next.path + ' ' + own + '"';
    }
    return std::nullopt;
}

// Where this MPI's own launcher is at work its variable is there; another's may be left of a job
// around it.
std::optional<std::string> foreign_launcher() {
    if (is_another_rank()) return std::nullopt; // the first speaks for all
    const char *own = "PMI_SIZE", *other = "OMPI_COMM_WORLD_SIZE";
    if (library_version().starts_with("Open MPI")) std::swap(own, other);
    const char* const size = std::getenv(other);
    if (std::getenv(own) || !size || std::atoi(size) <= 1) return std::nullopt;
    return "the launcher has started " + std::string(size) +
           " ranks, and each is alone in MPI_COMM_WORLD: it starts none of " +
           library_at(find("PMPI_Init")).path;
}

std::optional<std::string> passed_by() {
    if (!is_initialized() || is_another_rank() || !(first_own_library() == own_library()))
        return std::nullopt;
    const Library host = library_at(find("PMPI_Init"));
    return "MPI_Init was looked up in " + host.path + " itself, past " + own_library().path +
           ": what is looked up there is not seen here";
}

} // namespace mpix::host
