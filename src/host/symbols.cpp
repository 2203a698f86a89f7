// SPDX-License-Identifier: BSD-3-Clause
//
// Looking up the host's functions behind our own.
#include "host/symbols.hpp"

#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>
#include <string>

namespace mpix::host {

void* find(const char* name) { return dlsym(RTLD_NEXT, name); }

void* find_collective(const char* name) {
    if (void* found = find((std::string("PMPI_") + name).c_str())) return found;
    return find((std::string("PMPIX_") + name).c_str());
}

void* demand(const char* name) {
    if (void* found = find(name)) return found;
    // There is no MPI to raise an error with.
    std::fprintf(stderr, "mpix: the MPI library has no %s\n", name);
    std::abort();
}

} // namespace mpix::host
