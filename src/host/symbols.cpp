// SPDX-License-Identifier: BSD-3-Clause
//
// Looking up the host's functions behind our own.
#include "host/symbols.hpp"

#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

namespace mpix::host {

void* find(const char* name) { return dlsym(RTLD_NEXT, name); }

void* find_collective(const char* name) {
    if (void* found = find((std::string("PMPI_") + name).c_str())) return found;
    return find((std::string("PMPIX_") + name).c_str());
}

void* demand(const char* name) {
    if (void* found = find(name)) return found;
    // MPICH 5.0 has no PMPI_File_close in its library for the ABI: there is nobody to see MPI_x
    // there.
    if (std::string_view(name).starts_with("PMPI_"))
        if (void* found = find(name + 1)) return found;
    // There is no MPI to raise an error with.
    std::fprintf(stderr, "mpix: the MPI library has no %s\n", name);
    std::_Exit(EXIT_FAILURE);
}

} // namespace mpix::host
