// SPDX-License-Identifier: BSD-3-Clause
//
// Said only where it is certain.
#include "host/order.hpp"

#include "host/libraries.hpp"
#include "host/symbols.hpp"

#include <algorithm>
#include <cstdlib>
#include <string_view>

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

// It wraps MPI_Init and leaves PMPI_Init to the host.
std::optional<std::string> tool_behind() {
    const Library next = library_at(find("MPI_Init")), host = library_at(find("PMPI_Init"));
    if (!next.base || next == host || is_named_as_host(next)) return std::nullopt;
    const std::vector<Library> hosts = that_define("PMPI_Init");
    if (std::find(hosts.begin(), hosts.end(), next) != hosts.end()) return std::nullopt;
    const std::string own = own_library().path;
    return next.path + " stands behind " + own +
           " and does not see the calls that go to the latter: preload it first, LD_PRELOAD=\"" +
           next.path + ' ' + own + '"';
}

std::optional<std::string> passed_by() {
    if (!is_initialized() || is_another_rank() || !(first_own_library() == own_library()))
        return std::nullopt;
    const Library host = library_at(find("PMPI_Init"));
    return "MPI_Init was looked up in " + host.path + " itself, past " + own_library().path +
           ": what is looked up there is not seen here";
}

} // namespace mpix::host
