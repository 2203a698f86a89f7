// SPDX-License-Identifier: BSD-3-Clause
//
// What the first host among the libraries of the process is, and whether it is the only one.
#include "host/misfit.hpp"

#include "host/host.hpp"
#include "host/libraries.hpp"

#include <algorithm>
#include <vector>

namespace mpix::host {
namespace {

bool has_standard_abi(const Library& host) {
    return host.path.find("mpi_abi") != std::string::npos; // the name is the standard's
}

// A program that has MPI inside is taken at its word.
bool is_named_mpi(const Library& host) {
    return host.file_name().starts_with("libmpi") || host.file_name().starts_with("libpmpi");
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
    const std::vector<Library> there = host_libraries();
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
    const Library own = own_library(), first = first_own_library();
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
