// SPDX-License-Identifier: BSD-3-Clause
//
// The libraries of the process are looked through for what they define: a host is one that defines
// PMPI_Init and none of our own names.
#include "host/misfit.hpp"

#include "host/host.hpp"

#include <dlfcn.h>
#include <link.h>

#include <algorithm>
#include <string_view>
#include <vector>

namespace mpix::host {
namespace {

struct Library {
    const void* base;
    std::string path;
    bool operator==(const Library& other) const { return base == other.base; }
};

Library library_at(const void* address) {
    Dl_info found{};
    if (!address || !dladdr(address, &found)) return {nullptr, ""};
    return {found.dli_fbase, found.dli_fname ? found.dli_fname : ""};
}

std::vector<std::string> loaded() {
    std::vector<std::string> names;
    dl_iterate_phdr(
        [](dl_phdr_info* info, std::size_t, void* to) {
            static_cast<std::vector<std::string>*>(to)->emplace_back(info->dlpi_name);
            return 0;
        },
        &names);
    return names;
}

// In the order in which they were loaded. A library is looked through with those that it needs.
std::vector<Library> that_define(const char* name) {
    std::vector<Library> found;
    for (const std::string& path : loaded()) {
        void* const handle = dlopen(path.empty() ? nullptr : path.c_str(), RTLD_LAZY | RTLD_NOLOAD);
        if (!handle) continue;
        const Library library = library_at(dlsym(handle, name));
        if (library.base && std::find(found.begin(), found.end(), library) == found.end())
            found.push_back(library);
        dlclose(handle);
    }
    return found;
}

std::vector<Library> hosts() {
    std::vector<Library> found = that_define("PMPI_Init");
    for (const Library& own : that_define("MPIX_Describe")) std::erase(found, own);
    return found;
}

bool has_standard_abi(const Library& host) {
    return host.path.find("mpi_abi") != std::string::npos; // the name is the standard's
}

// A program that has MPI inside is taken at its word.
bool is_named_mpi(const Library& host) {
    const std::string_view file = std::string_view(host.path).substr(host.path.rfind('/') + 1);
    return file.starts_with("libmpi") || file.starts_with("libpmpi");
}

bool is_built_for(const Library& host) {
    if (!is_named_mpi(host)) return true;
    if (has_standard_abi(host) != bool{BUILT_FOR_abi}) return false;
    if (BUILT_FOR_abi) return true;
    return library_version().starts_with("Open MPI") == bool{BUILT_FOR_openmpi};
}

bool is_before_mpi_3() {
    using Version = int(int* version, int* subversion);
    auto* const ask = reinterpret_cast<Version*>(find("PMPI_Get_version"));
    int version = 0, subversion = 0;
    return !ask || ask(&version, &subversion) != MPI_SUCCESS || version < 3;
}

constexpr const char* built_for = BUILT_FOR_abi       ? "the standard ABI of MPI"
                                  : BUILT_FOR_openmpi ? "Open MPI"
                                                      : "MPICH";

std::string version_line() {
    std::string line = library_version();
    line.resize(std::min(line.size(), line.find_first_of(",\n")));
    std::replace(line.begin(), line.end(), '\t', ' ');
    return line;
}

} // namespace

std::optional<Misfit> misfit() {
    using Remedy = Misfit::Remedy;
    const std::vector<Library> there = hosts();
    if (there.empty())
        return Misfit{"the program has no MPI library behind this one", Remedy::refuse};
    const Library& host = there.front();
    if (is_before_mpi_3())
        return Misfit{host.path + " is older than MPI 3: everything is left to it", Remedy::pass};
    if (!is_built_for(host))
        return Misfit{std::string(BUILT_FOR_abi ? "this libmpix_abi" : "this libmpix") +
                          " is built for " + built_for +
                          ", and the MPI library of the program is " + version_line() + " (" +
                          host.path + "): it needs the libmpix that is built for that",
                      Remedy::refuse};
    const Library own = library_at(reinterpret_cast<const void*>(&misfit));
    const Library first = library_at(dlsym(RTLD_DEFAULT, "MPIX_Describe"));
    if (first.base && !(first == own))
        return Misfit{own.path + " is loaded behind " + first.path +
                          ", and leaves everything to it",
                      Remedy::pass};
    if (there.size() > 1)
        return Misfit{"two MPI libraries are in this process, " + host.path + " and " +
                          there[1].path + ": calls that are meant for the second reach the first",
                      Remedy::none};
    return std::nullopt;
}

} // namespace mpix::host
